"""The model files that EMBEDDED_MODEL can name, and where their bytes come from.

Knows:    names, sizes, hashes, places.
Does not: fetch anything.   (weights.py)
A file is trusted for its sha256, whoever delivers it.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Weights:
    """One model file. parts: the list of packages that carry it in pieces, where there is one."""

    name: str
    repository: str
    revision: str
    file: str
    size: int
    sha256: str
    parts: str | None = None

    @property
    def url(self) -> str:
        """Return the maker's own address of the file."""
        return f"https://huggingface.co/{self.repository}/resolve/{self.revision}/{self.file}"


CATALOGUE = {
    weights.name: weights
    for weights in (
        Weights(
            name="qwen2.5-coder-1.5b",
            repository="Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
            revision="f86cb2c1fa58255f8052cc32aeede1b7482d4361",
            file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
            size=1_117_320_768,
            sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
            parts="requirements-model.txt",
        ),
        Weights(
            name="qwen2.5-coder-0.5b",
            repository="Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
            revision="ebb2015119c907b064c512bf053e945850b5875f",
            file="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
            size=491_400_064,
            sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
            parts="requirements-model-small.txt",
        ),
        Weights(
            name="qwen2.5-1.5b",
            repository="Qwen/Qwen2.5-1.5B-Instruct-GGUF",
            revision="91cad51170dc346986eccefdc2dd33a9da36ead9",
            file="qwen2.5-1.5b-instruct-q4_k_m.gguf",
            size=1_117_320_736,
            sha256="6a1a2eb6d15622bf3c96857206351ba97e1af16c30d7a74ee38970e434e9407e",
        ),
    )
}
