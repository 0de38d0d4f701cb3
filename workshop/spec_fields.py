"""The names that models give the fields of a specification, in English and Russian, and what they mean.

Knows:    the names.
Does not: look at the values.   (reading.py)
"""

import re
from collections.abc import Mapping
from typing import Any

_SPECIFICATION = {
    "title": """
        title name project_name project_title program_name heading
        название заголовок имя наименование название_проекта имя_проекта название_программы тема""",
    "description": """
        description summary overview about purpose goal details objective
        описание обзор цель суть краткое_описание описание_проекта назначение задача""",
    "requirements": """
        requirements requirement features functional_requirements functionality acceptance_criteria
        требования требование функции функционал функциональность возможности функциональные_требования""",
    "modules": "modules module components parts модули модуль компоненты части",
    "tech_stack": """
        tech_stack techstack stack technologies technology tech technology_stack tools libraries dependencies
        технологии технология стек стек_технологий технологический_стек инструменты библиотеки зависимости""",
    "files": """
        files file file_list file_structure project_files structure project_structure
        файлы файл список_файлов структура структура_проекта структура_файлов файлы_проекта""",
    "examples": """
        examples example acceptance_examples acceptance_tests tests test_cases usage_examples sample_calls
        примеры пример приемочные_примеры примеры_использования тесты тестовые_случаи примеры_вызовов""",
}
_FILE = {
    "path": """
        path file filename file_name name filepath file_path
        путь файл имя имя_файла название путь_к_файлу""",
    "description": """
        description purpose summary about content contents role details
        описание назначение содержание содержимое роль цель""",
}
_EXAMPLE = {
    "file": """
        file path filename module module_name program
        файл модуль путь имя_файла программа""",
    "call": "call expression function_call invocation code вызов выражение код",
    "returns": """
        returns return expected expected_result expected_value result value output
        возвращает результат ожидается ожидаемый_результат значение возвращаемое_значение""",
    "raises": "raises raise exception error throws исключение ошибка вызывает",
    "arguments": "arguments args argv parameters command_line аргументы параметры",
    "input": "input stdin given ввод вход стандартный_ввод",
    "prints": "prints print expected_output stdout printed печатает выводит вывод",
}


def _by_name(meanings: Mapping[str, str]) -> dict[str, tuple[int, str]]:
    return {
        name: (rank, meaning)
        for meaning, names in meanings.items()
        for rank, name in enumerate(names.split())
    }


SPECIFICATION = _by_name(_SPECIFICATION)
FILE = _by_name(_FILE)
EXAMPLE = _by_name(_EXAMPLE)


def plain(name: str) -> str:
    """Return a field's name as the tables have it: one case, one sign between words."""
    words = re.sub(r"(?<=[a-zа-я])(?=[A-ZА-Я])", "_", name).casefold().replace("ё", "е")
    return re.sub(r"[\W_]+", "_", words).strip("_")


def renamed(fields: Mapping[str, Any], names: Mapping[str, tuple[int, str]]) -> dict[str, Any]:
    """Return the fields that the table knows, under their own names; of several, the nearest name's value."""
    best: dict[str, tuple[int, Any]] = {}
    for name, value in fields.items():
        known = names.get(plain(str(name)))
        if known is None:
            continue
        rank, meaning = known
        if meaning not in best or rank < best[meaning][0]:
            best[meaning] = (rank, value)
    return {meaning: value for meaning, (_, value) in best.items()}
