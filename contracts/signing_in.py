"""Whatever knows the secrets of this deployment: the kept tokens first, then the environment.

Knows:    the settings that decide it.
Does not: hold a secret.
"""

from common.settings import state_folder
from contracts.credentials import Credentials, Principal
from contracts.env_credentials import EnvCredentials
from contracts.settings import ContractsSettings


def credentials_of(settings: ContractsSettings) -> Credentials:
    """Return the credentials.  Raises: TokensUnusable, DatabaseUnusable."""
    own = EnvCredentials(Principal(settings.contracts_principal))
    if not settings.contracts_key.get_secret_value():
        return own
    from contracts.kept_credentials import KeptCredentials  # here: most deployments keep none
    from contracts.kept_tokens import KeptTokens

    return KeptCredentials(KeptTokens(tokens_url(settings), settings.contracts_key), own)


def tokens_url(settings: ContractsSettings) -> str:
    """Return where the tokens are kept: as the settings say, else in the state folder, which is made."""
    if settings.contracts_tokens:
        return settings.contracts_tokens
    folder = state_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'contract-tokens.db'}"
