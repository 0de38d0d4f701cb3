"""What people say that asks for a build, and what only sounds like it, in three parts.

The first part was used while the words were chosen. The second and third were each looked at once, after: 90
of 90, and 64 of 70 with no build that nobody asked for. What they showed was then put right, but for one that
is not in the list: "Build it for me: a script that pings a list of hosts" is still not recognised.
Each line: what the person says. Lines before "--" are builds, those after are not.
"""

_FIRST = """
write a program that prints the first ten primes
Please build a script that renames my photos by date.
Can you make a tool which converts CSV to JSON?
create a python function to count vowels
I need a script that backs up a folder
I'd like you to write a small module for parsing dates
Could you please implement a function that reverses a list? f("ab") == "ba"
Let's build a command-line calculator
develop an application that tracks expenses
Hi! Write me a simple two-file program with a shop cart.
Draft a technical specification for a Telegram bot that reminds of medicine
project plan for a todo list app
Write a spec for a URL shortener
Help me write a program that solves sudoku
Now code a class that models a bank account
Write a function to find the n largest integers from a given list of numbers.
We need to create a utility for merging PDF files
go ahead and generate a script that prints the calendar
Write code that sums the numbers in a file
Implement the following function: is_even(n)
I want a program that tells the time in Tokyo
make a command line game of hangman
write a program, do not use classes
Build a tool that never creates temporary files
make a contract for refunds under ten dollars
Write a contract for the task "cancel an order"
напиши программу, которая считает слова в файле
Сделай скрипт для переименования фотографий
создай функцию, которая проверяет, простое ли число
составь тз для телеграм-бота
Составьте, пожалуйста, техническое задание на сайт кофейни
Нужна программа для учёта расходов
мне нужен скрипт, который скачивает курсы валют
Можешь написать утилиту для сжатия картинок?
Хочу создать игру «угадай число»
Давай напишем калькулятор
разработай модуль для работы с датами
Подготовь план проекта для интернет-магазина
Надо написать парсер логов
сделай контракт для возврата товара
реализуй функцию f(x), f(2) == 4
--
review this specification
what is a spec?
How would you build a program like this?
can you explain how to write a program
do not build anything yet
What does "write a program" mean?
The build script is broken
Build script fails with an error
I wrote a program that crashes on start
tell me about the tools you have
Is it hard to write a program in Rust?
make sure the program works
Make the script faster
write a poem about a program
Write a review of this tool
write an email about the technical specification
should I write a script for this?
what tools can you make?
If you had to build a tool, which language would you use?
thanks, the function works
Why did you create a function there?
I want to write a program, where do I start?
Which project plan is better?
Can you review the project plan for my app?
compare these two functions
write a short program description for my CV
the contract for refunds is wrong
what is a contract?
please don't write a program, just explain recursion
I am learning to write a script
отзыв о товаре
напиши отзыв о программе
что такое тз?
как написать программу?
проверь тз
тзатзики рецепт
не пиши программу, просто объясни
расскажи, как создать бота
Почему скрипт не работает?
Можешь объяснить, как сделать скрипт?
я написал программу, она падает
спасибо, функция работает
план проекта слишком длинный
стоит ли писать скрипт для этого?
hello
привет
"""

_SECOND = """
write a script to rename files in a folder
Make me a program for learning vocabulary
Would you create a function that returns the median of a list?
please implement a class for a stack with push and pop
I would like a small tool that shows disk usage
Build an app that stores recipes
Generate a module with helper functions for strings
write python code to check a password's strength
Create a bot that answers with the weather
I want you to develop a converter from Markdown to HTML
Could you write a program which plays tic-tac-toe?
Prepare a technical specification for a parking meter
technical specification for a library catalogue
Draft a project plan for a chess clock
I need you to write a function called add that adds two numbers
OK, now make a parser for INI files
We want to build a library for units of measurement
Can you build me a script that deletes duplicate lines? It must not create new files.
Explain what a heap is and then write a program that sorts with one
Write a function f such that f(2) returns 4
Design a command-line tool that formats JSON
Please write the code for a stopwatch
give me a script that prints my IP address
task: write a program that draws a triangle of stars
let us create a game of snake in the terminal
Make a contract for changing a delivery address
create a contract for listing open tickets
Напишите скрипт, который удаляет пустые папки
создай программу для изучения слов
Пожалуйста, напиши функцию для сложения двух чисел
Разработайте приложение для заметок
сделай мне бота, который отвечает на вопросы
Составь техзадание на парсер новостей
нужно сделать утилиту для поиска дубликатов
Хочу программу, которая рисует треугольник
Прошу написать модуль для конвертации валют
Помоги написать скрипт для резервного копирования
тз для сервиса доставки
Сгенерируй код для сортировки списка
напиши контракт для отмены заказа
Требуется функция, которая возвращает сумму цифр
--
What do you think about this specification?
how do I make a script executable?
Explain the function you wrote
can you tell me what a technical specification is?
Don't create a program for this.
What is the best tool to write code in?
I have a program that does not start
Show me how to create a function in Python
is there a tool that converts CSV to JSON?
Write a list of tools that you know
create a comparison of these programs
The program I want to build is secret
did you write a test for the function?
Write a letter to the author of this program
When should one write a specification?
it makes a program slower
please make the function shorter
you can write a program in any language
Who wrote this script?
my script creates a file that nobody needs
write a summary of the project plan
do you write programs?
Let's talk about the tool
the technical specification is ready
I would never build a program like that
imagine you had to write a program in an hour
draft a message to my boss about the app
what is the difference between a program and a script?
read the contract for refunds aloud
Could you explain the code?
create an account for me
make a reservation for two
build confidence
how long does it take to write a project plan?
напиши стихотворение про скрипт
Что делает эта программа?
Не надо создавать скрипт
объясни, что такое функция
где найти тз?
Хочу научиться писать программы
какую программу выбрать?
Напиши письмо заказчику о ТЗ
прочитай техническое задание
скрипт создаёт лишний файл
если бы ты писал программу, с чего бы начал?
сделай вывод о программе
функция возвращает не то
как бы ты составил план проекта?
контракт для возврата не подходит
"""
_THIRD = """
hey can u write a script that resizes images
Write, please, a program that guesses my number
I'd love to have a program that sorts my mail
Could you code up a quick tool to diff two folders?
Create something like a small calculator app for the terminal
Write a Python program which reads numbers from stdin and prints their mean.
i want an app to track water intake
implement fizzbuzz as a function
Write unit converter program
We'd like you to draft the specification for a booking system
please create main.py that prints hello
build an HTTP API server returning the time
Program a robot simulator
Write me some code which shuffles a deck
Make a game where the player dodges rocks
Your task is to write a function that checks palindromes.
Produce a script, run daily, that cleans logs
I am looking for a script that converts epub to txt
Write a recursive function for factorial
создай, пожалуйста, скрипт для сортировки файлов
Не мог бы ты написать программу для учёта времени?
напиши мне функцию is_even
нужно разработать небольшое веб-приложение для заметок
Сделайте утилиту командной строки, которая считает строки
мне бы программу для подсчёта калорий
техническое задание для системы бронирования
Требуется написать класс для очереди
напиши код на python, который переворачивает строку
Собери простую игру на python
--
can you write?
The tool should create a file
how does one create a program
Is this a good project plan?
I don't want you to write a program
I was asked to write a program yesterday
please fix the function
rename the module to utils
run the script again
delete the app
Could you summarise the technical specification?
make a decision about the tool
write down the name of the program
let me write the program myself
open the project plan
Why would anyone write code in COBOL?
explain this code to me please
what happens when you create a class in Python?
Write an explanation of how the script works
Build me up, buttercup
the program you made is great
add a comment to the function
translate this specification into German
I do not need a script
does the bot work?
you should have written a function
сколько стоит программа?
удали скрипт
исправь функцию
мне не нужна программа
покажи код
программа, которую ты написал, не работает
сделай функцию быстрее
что лучше: скрипт или программа?
перепиши письмо
составь список программ
напиши, что делает эта функция
опиши модуль
можно ли написать программу без циклов?
я хочу понять, как создать бота
"""


def _parted(text: str) -> list[tuple[str, bool]]:
    builds, others = text.strip().split("\n--\n")
    return [(line, True) for line in builds.splitlines()] + [(line, False) for line in others.splitlines()]


FIRST = _parted(_FIRST)
SECOND = _parted(_SECOND)
THIRD = _parted(_THIRD)
