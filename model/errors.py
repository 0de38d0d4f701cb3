"""What can go wrong between us and a model, each with its own sentence.

ModelError
├── NotReachable      nobody answers there
├── ModelMissing      somebody answers, the model is not there
├── StillLoading      the model is being loaded, longer than anybody waits
├── TimedOut          no answer within the limit
├── OutOfMemory       the model does not fit into the machine's memory
├── Overloaded        429 or 5xx, also after the retries
├── Refused           the request was turned down: key, permission, form
├── ContextTooLong    the conversation does not fit the model's window
├── BrokenAnswer      an answer that is no chat completion
├── NotConfigured     a setting is missing or names nothing; the settings are to be corrected
├── EngineFailed      the embedded engine is not installed or does not start
├── PullFailed        Ollama could not fetch the model
└── WeightsError      the model file
    ├── NoSpace       the disk is too full
    ├── WrongBytes    the file is not the one that was promised
    └── NotFetched    no source could deliver it

No text here repeats what an endpoint said: it may quote the conversation or a key.
"""


class ModelError(Exception):
    """The model cannot answer; the text says why and what to do."""

    code = "model_error"


class NotReachable(ModelError):
    """Nobody answers at the address."""

    code = "not_reachable"


class ModelMissing(ModelError):
    """The endpoint answers and does not have the model.

    name: what `llm.pull_model` can fetch; "" where nothing can.
    """

    code = "model_missing"

    def __init__(self, text: str, name: str = "") -> None:
        super().__init__(text)
        self.name = name


class StillLoading(ModelError):
    """The endpoint was loading the model for as long as anybody waits."""

    code = "still_loading"


class TimedOut(ModelError):
    """No answer within the limit."""

    code = "timed_out"


class OutOfMemory(ModelError):
    """The model does not fit into the memory of the machine that runs it."""

    code = "out_of_memory"


class Overloaded(ModelError):
    """The endpoint answered 429 or 5xx, also after the retries."""

    code = "overloaded"


class Refused(ModelError):
    """The endpoint turned the request down."""

    code = "refused"


class ContextTooLong(ModelError):
    """The conversation does not fit the model's window."""

    code = "context_too_long"


class BrokenAnswer(ModelError):
    """The endpoint's answer is no chat completion."""

    code = "broken_answer"


class NotConfigured(ModelError):
    """A setting that the chosen provider needs is missing, or names nothing; no retry helps."""

    code = "not_configured"


class EngineFailed(ModelError):
    """The embedded engine is not installed, or did not start."""

    code = "engine_failed"


class PullFailed(ModelError):
    """Ollama could not fetch the model."""

    code = "pull_failed"


class WeightsError(ModelError):
    """The model file cannot be had or used."""

    code = "weights"


class NoSpace(WeightsError):
    """The disk has too little room for the model file."""

    code = "no_space"


class WrongBytes(WeightsError):
    """The file's sha256 is not the promised one; it was deleted."""

    code = "wrong_bytes"


class NotFetched(WeightsError):
    """No source delivered the file."""

    code = "not_fetched"
