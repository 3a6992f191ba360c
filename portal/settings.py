"""Every setting of the portal, read from the environment; `portal/checks.py` words what is wrong.

`docs/settings.md` lists each name; a test fails for one that is not documented there.
"""

from email.utils import parseaddr
from pathlib import Path
from urllib.parse import urlsplit

import django_stubs_ext
from csp.constants import NONE, SELF
from psycopg.conninfo import conninfo_to_dict

from portal import environment
from portal.schedule import SCHEDULE

django_stubs_ext.monkeypatch()


BASE_DIR = Path(__file__).resolve().parent.parent
STATE_DIR = Path(environment.text("STATE_DIR", str(BASE_DIR / "var")))

# --- the foundation -----------------------------------------------------------------------------
FOUNDATION_NAME = environment.text("FOUNDATION_NAME", "Example DB Foundation")
BASE_URL = environment.text("BASE_URL", "http://localhost:8000").rstrip("/")
DEMONSTRATION = environment.flag("DEMONSTRATION", default=False)
DEMONSTRATION_PASSWORD = environment.secret("DEMONSTRATION_PASSWORD")
DEFAULT_PRODUCT = environment.text("DEFAULT_PRODUCT", "exampledb")

# --- Django -------------------------------------------------------------------------------------
DEBUG = environment.flag("DEBUG", default=False)
SECRET_KEY = environment.secret("SECRET_KEY")
# Older ones, while they are being replaced.
SECRET_KEY_FALLBACKS = environment.words("SECRET_KEY_FALLBACKS")
ALLOWED_HOSTS = environment.words("ALLOWED_HOSTS") or [urlsplit(BASE_URL).hostname or "localhost"]
CSRF_TRUSTED_ORIGINS = [BASE_URL]
ROOT_URLCONF = "portal.urls"
ASGI_APPLICATION = "portal.asgi.application"
AUTH_USER_MODEL = "accounts.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "portal",
    "portal.lib",
    "portal.accounts",
    "portal.payments",
    "portal.news",
    "portal.members",
    "portal.donations",
    "portal.sponsors",
    "portal.books",
    "releases",
    "governance",
    "feedback",
    "benchmarks",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.sitemaps",
    "django.contrib.staticfiles",
    "django.forms",
    "django_htmx",
    "csp",
    "ninja",
]

MIDDLEWARE = [
    "portal.request_id.RequestIdMiddleware",
    "portal.draining.DrainingMiddleware",
    "portal.probes.ProbeMiddleware",
    # What they say stands on every answer, so they come before all that answer by themselves.
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "portal.json_answers.JsonAnswerMiddleware",
    "portal.too_often.TooOftenMiddleware",
    "portal.personal.PersonalMiddleware",
    "portal.anonymous.AnonymousMiddleware",
    "portal.nul.NulMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "portal.language.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "portal.accounts.middleware.SecondFactorMiddleware",
    "portal.accounts.middleware.FormPageMiddleware",
    "portal.wrong_method.WrongMethodMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "portal.context_processors.site",
            ],
        },
    }
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

# --- PostgreSQL and Redis -----------------------------------------------------------------------
DATABASE_URL = environment.secret("DATABASE_URL")
REDIS_URL = environment.secret("REDIS_URL")
# Only the web process sets a pool: Celery forks must not share one.
DATABASE_POOL_SIZE = environment.number("DATABASE_POOL_SIZE", 0)


def _database(url: str) -> dict[str, object]:
    """Django's database dictionary for a libpq URL; unix sockets and options included."""
    if not url:
        return {"ENGINE": "django.db.backends.dummy"}
    parts = conninfo_to_dict(url)
    named = {
        django_name: str(parts.pop(libpq_name, ""))
        for django_name, libpq_name in [
            ("NAME", "dbname"),
            ("USER", "user"),
            ("PASSWORD", "password"),
            ("HOST", "host"),
            ("PORT", "port"),
        ]
    }
    options: dict[str, object] = dict(parts)
    if DATABASE_POOL_SIZE:
        options["pool"] = {"min_size": 1, "max_size": DATABASE_POOL_SIZE, "timeout": 10}
    return {"ENGINE": "django.db.backends.postgresql", **named, "OPTIONS": options}


DATABASES = {"default": _database(DATABASE_URL)}

if REDIS_URL:
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": REDIS_URL,
        }
    }

# --- benchmarks ---------------------------------------------------------------------------------
# CIs whose public keys are fetched once a day ("github", "gitlab"); none unless named.
BENCHMARK_CI_KEYS = environment.words("BENCHMARK_CI_KEYS")

# --- jobs ---------------------------------------------------------------------------------------
CELERY_BROKER_URL = REDIS_URL or "redis://localhost:6379/0"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_TIME_LIMIT = 600
CELERY_TASK_SOFT_TIME_LIMIT = 570
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 1200}
CELERY_TASK_ROUTES = {
    "releases.tasks.probe_mirrors": {"queue": "default"},
    "releases.tasks.collect_garbage": {"queue": "default"},
    "releases.tasks.read_repositories": {"queue": "default"},
    "releases.tasks.*": {"queue": "publishing"},
    "feedback.tasks.*": {"queue": "feedback"},
    "portal.tasks.send_outbox": {"queue": "mail"},
}
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_BEAT_SCHEDULE = SCHEDULE

# --- accounts -----------------------------------------------------------------------------------
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/accounts/"
LOGOUT_REDIRECT_URL = "/"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_ADAPTER = "portal.accounts.adapter.AccountAdapter"
ACCOUNT_REAUTHENTICATION_TIMEOUT = 900
# Who holds a role proves their second factor again after so long, however long they stay signed in.
SECOND_FACTOR_HOURS = environment.number("SECOND_FACTOR_HOURS", 12)
PASSWORD_RESET_TIMEOUT = 3600  # seconds that the link of a letter is good for
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_CHANGE_EMAIL = True  # one address; a new one takes its place once it is confirmed
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = True
ACCOUNT_SIGNUP_FORM_CLASS = "portal.accounts.forms.SignupForm"
ACCOUNT_FORMS = {
    "login": "portal.accounts.allauth_forms.LoginForm",
    "signup": "portal.accounts.allauth_forms.SignupForm",
    "change_email": "portal.accounts.allauth_forms.ChangeEmailForm",
    "change_password": "portal.accounts.allauth_forms.ChangePasswordForm",
    "reset_password": "portal.accounts.allauth_forms.ResetPasswordForm",
    "reset_password_from_key": "portal.accounts.allauth_forms.ResetPasswordKeyForm",
    "reauthenticate": "portal.accounts.allauth_forms.ReauthenticateForm",
}
MFA_FORMS = {
    "authenticate": "portal.accounts.allauth_forms.AuthenticateForm",
    "reauthenticate": "portal.accounts.allauth_forms.ReauthenticateByFactorForm",
    "activate_totp": "portal.accounts.allauth_forms.ActivateTOTPForm",
    "add_webauthn": "portal.accounts.allauth_forms.AddPasskeyForm",
}
MFA_ADAPTER = "portal.accounts.adapter.MFAAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_TOTP_ISSUER = FOUNDATION_NAME
MFA_TOTP_TOLERANCE = 1
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True  # else nobody with a second factor could change their address
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = BASE_URL.startswith("http://localhost")
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.ScryptPasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "portal.accounts.passwords.MaximumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]

# --- payments -----------------------------------------------------------------------------------
# With a key payments are Stripe's; without one the local twin simulates them, and pages say so.
STRIPE_SECRET_KEY = environment.secret("STRIPE_SECRET_KEY")
STRIPE_WEBHOOK_SECRET = environment.secret("STRIPE_WEBHOOK_SECRET")
STRIPE_PAGES = [
    f"https://{page}.stripe.com" for page in ("checkout", "billing", "invoice")
]  # of its own, that a form of ours may lead to
PAYMENT_PROVIDER = "stripe" if STRIPE_SECRET_KEY else "twin"
TWIN_URL = environment.text("TWIN_URL", "http://127.0.0.1:8003").rstrip("/")
TWIN_WEBHOOK_URL = environment.text("TWIN_WEBHOOK_URL", f"{BASE_URL}/webhooks/stripe/")
# Who sells: what invoices print, and whose VAT is charged. Without a country there is none.
SELLER_NAME = environment.text("SELLER_NAME", FOUNDATION_NAME)
SELLER_ADDRESS = environment.text("SELLER_ADDRESS")
SELLER_COUNTRY = environment.text("SELLER_COUNTRY").upper()
SELLER_VAT_NUMBER = environment.text("SELLER_VAT_NUMBER")
SELLER_VAT_RATE_BP = environment.hundredths("SELLER_VAT_RATE", "0")
SELLER_BANK = environment.text("SELLER_BANK")
INVOICE_DAYS = environment.number("INVOICE_DAYS", 30)
# A supporter who has not renewed is shown for so long after the end of the term.
RENEWAL_GRACE_DAYS = environment.number("RENEWAL_GRACE_DAYS", 30)

# --- governance ---------------------------------------------------------------------------------
# So many days before a term ends its holder and the secretary get a letter, once for each number.
TERM_LETTER_DAYS = environment.numbers("TERM_LETTER_DAYS", "90, 30")
# The two processes of sealed elections; see governance/registrar/client.py and governance/box/.
REGISTRAR_SOCKET = Path(environment.text("REGISTRAR_SOCKET", str(STATE_DIR / "registrar.sock")))
BOX_SOCKET = Path(environment.text("BOX_SOCKET", str(STATE_DIR / "box.sock")))

# --- security -----------------------------------------------------------------------------------
_HTTPS = BASE_URL.startswith("https://")
SECURE_SSL_REDIRECT = _HTTPS
SECURE_REDIRECT_EXEMPT = [r"^health/", r"^metrics$"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _HTTPS else None
SECURE_HSTS_SECONDS = 31_536_000 if _HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = _HTTPS
SECURE_HSTS_PRELOAD = _HTTPS
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
# Browsers take a cookie of this name from this very host alone, over TLS; no neighbour can set it.
_OURS = "__Host-" if _HTTPS else ""
SESSION_COOKIE_NAME = f"{_OURS}sessionid"
SESSION_COOKIE_SECURE = _HTTPS
SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_NAME = f"{_OURS}csrftoken"
CSRF_COOKIE_SECURE = _HTTPS
CSRF_COOKIE_HTTPONLY = True
X_FRAME_OPTIONS = "DENY"
# The provider's pages are the only other addresses that a form may lead to.
PAYMENT_PAGE_ORIGINS = environment.words("PAYMENT_PAGE_ORIGINS") or (
    STRIPE_PAGES if STRIPE_SECRET_KEY else [TWIN_URL]
)
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF, *PAYMENT_PAGE_ORIGINS],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "report-uri": ["/csp-report/"],
    }
}
# Proxies in front of the web process whose X-Forwarded-For is believed; 0 = none.
TRUSTED_PROXIES = environment.number("TRUSTED_PROXIES", 0)

# --- mirrors ------------------------------------------------------------------------------------
# Countries of addresses, in the format of MaxMind; without it nobody's country is known.
GEOIP_DATABASE = Path(path) if (path := environment.text("GEOIP_DATABASE")) else None
# For development: mirrors may lie on this machine, with a certificate authority of one's own.
MIRROR_PRIVATE_ADDRESSES = environment.flag("MIRROR_PRIVATE_ADDRESSES", default=False)
MIRROR_CA = environment.text("MIRROR_CA")

# --- feedback -----------------------------------------------------------------------------------
# Turns what servers call themselves into keyed hashes; change it and every server is new.
FEEDBACK_PEPPER = environment.secret("FEEDBACK_PEPPER")

# --- operations ---------------------------------------------------------------------------------
METRICS_TOKEN = environment.secret("METRICS_TOKEN")

# --- mail ---------------------------------------------------------------------------------------
# The outbox delivers through this; without a host, letters are written to a folder.
EMAIL_HOST = environment.text("EMAIL_HOST")
EMAIL_PORT = environment.number("EMAIL_PORT", 25)
EMAIL_HOST_USER = environment.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = environment.secret("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = environment.flag("EMAIL_USE_TLS", default=False)
EMAIL_FILE_PATH = STATE_DIR / "mail"
EMAIL_BACKEND = (
    "django.core.mail.backends.smtp.EmailBackend"
    if EMAIL_HOST
    else "django.core.mail.backends.filebased.EmailBackend"
)
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = environment.text("DEFAULT_FROM_EMAIL", "Foundation Portal <portal@localhost>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
SECURITY_CONTACT = environment.text("SECURITY_CONTACT", parseaddr(DEFAULT_FROM_EMAIL)[1])

# --- files --------------------------------------------------------------------------------------
RELEASE_FILES_DIR = Path(environment.text("RELEASE_FILES_DIR", str(STATE_DIR / "releases")))
SIGNER_SOCKET = Path(environment.text("SIGNER_SOCKET", str(STATE_DIR / "signer.sock")))
STATIC_URL = "/static/"
STATIC_ROOT = STATE_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
MEDIA_ROOT = STATE_DIR / "media"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 10 * 2**20  # an upload chunk is 8 MiB

# --- language and time --------------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch")]  # each named in itself; texts: locale/
LANGUAGE_COOKIE_NAME = "language"
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True
FORMAT_MODULE_PATH = ["portal.formats"]

# --- logging ------------------------------------------------------------------------------------
LOG_LEVEL = environment.text("LOG_LEVEL", "INFO")
LOG_FORMAT = environment.text("LOG_FORMAT", "line")  # or json: one object a line
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"()": "portal.lib.logs.LineFormatter"},
        "json": {"()": "portal.lib.logs.JsonFormatter"},
    },
    "filters": {"without_paths": {"()": "portal.without_paths.WithoutPaths"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["without_paths"],
        }
    },
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    # A line for each request is for machines.
    "loggers": {"portal.requests": {"level": LOG_LEVEL if LOG_FORMAT == "json" else "WARNING"}},
}
