"""When each sweep runs, one line for each. Sweeps repair what a lost message missed."""

from datetime import timedelta

from celery.schedules import crontab

SCHEDULE: dict[str, dict[str, object]] = {
    "send outbox": {"task": "portal.tasks.send_outbox", "schedule": timedelta(seconds=5)},
    "read feedback": {"task": "feedback.tasks.drain", "schedule": timedelta(seconds=10)},
    "count feedback": {"task": "feedback.tasks.roll_up", "schedule": timedelta(minutes=1)},
    "close votes": {"task": "governance.tasks.close_due", "schedule": timedelta(seconds=30)},
    "promise letters to members": {
        "task": "governance.tasks.promise_letters",
        "schedule": timedelta(seconds=10),
    },
    "move elections on": {
        "task": "governance.tasks.move_elections_on",
        "schedule": timedelta(seconds=10),
    },
    "count elections": {
        "task": "governance.tasks.count_elections",
        "schedule": timedelta(seconds=30),
    },
    "remind voters": {"task": "governance.tasks.remind_due", "schedule": timedelta(minutes=10)},
    "remind of meetings": {
        "task": "governance.tasks.remind_of_meetings",
        "schedule": timedelta(minutes=10),
    },
    "remind of action items": {
        "task": "governance.tasks.remind_of_action_items",
        "schedule": crontab("5", "7"),
    },
    "announce ends of terms": {
        "task": "governance.tasks.announce_ends_of_terms",
        "schedule": crontab("15", "7"),
    },
    "lapse discussions": {"task": "governance.tasks.lapse_due", "schedule": crontab("13")},
    "supersede resolutions": {
        "task": "governance.tasks.supersede_due",
        "schedule": timedelta(minutes=10),
    },
    "correct seat roles": {
        "task": "governance.tasks.correct_seat_roles",
        "schedule": timedelta(hours=1),
    },
    "sign decisions": {
        "task": "governance.tasks.sign_decisions",
        "schedule": timedelta(minutes=5),
    },
    "renew set-up script": {
        "task": "releases.tasks.renew_setup_script",
        "schedule": timedelta(seconds=30),
    },
    "sweep releases": {"task": "releases.tasks.sweep", "schedule": timedelta(seconds=15)},
    "count downloads": {
        "task": "releases.tasks.count_downloads",
        "schedule": timedelta(minutes=1),
    },
    "publish scheduled releases": {
        "task": "releases.tasks.publish_scheduled",
        "schedule": timedelta(seconds=10),
    },
    "probe mirrors": {"task": "releases.tasks.probe_mirrors", "schedule": timedelta(minutes=1)},
    "tend keys": {"task": "releases.tasks.tend_keys", "schedule": timedelta(minutes=5)},
    "read repositories": {
        "task": "releases.tasks.read_repositories",
        "schedule": timedelta(minutes=10),
    },
    "renew indices": {"task": "releases.tasks.renew_indices", "schedule": timedelta(hours=1)},
    "collect garbage": {"task": "releases.tasks.collect_garbage", "schedule": crontab("23", "4")},
    "learn how to store feedback": {"task": "feedback.tasks.learn", "schedule": crontab("11", "4")},
    "tend partitions of feedback": {
        "task": "feedback.tasks.tend_partitions",
        "schedule": crontab("2"),
    },
    "forget feedback": {"task": "feedback.tasks.forget", "schedule": crontab("41", "3")},
    "repair payments": {
        "task": "portal.tasks.repair_payments",
        "schedule": timedelta(seconds=30),
    },
    "fetch payment events": {"task": "portal.tasks.fetch_events", "schedule": crontab("21")},
    "reconcile payments": {
        "task": "portal.tasks.reconcile_payments",
        "schedule": crontab("31", "5"),
    },
    "forget abandoned drafts": {
        "task": "portal.tasks.forget_abandoned_drafts",
        "schedule": crontab("41", "3"),
    },
    "draft news": {"task": "portal.tasks.draft_news", "schedule": timedelta(minutes=1)},
    "renew supporters": {"task": "portal.tasks.renew_supporters", "schedule": crontab("7")},
    "keep contributors": {"task": "portal.tasks.keep_contributors", "schedule": crontab("11", "4")},
    "tend organisations": {
        "task": "portal.tasks.tend_organisations",
        "schedule": crontab("37"),
    },
    "tend data exports": {
        "task": "portal.members.tasks.tend_exports",
        "schedule": timedelta(minutes=1),
    },
    "clear sessions": {"task": "portal.tasks.clear_sessions", "schedule": crontab("17", "3")},
    "forget comparisons": {
        "task": "benchmarks.tasks.forget_comparisons",
        "schedule": crontab("43", "3"),
    },
    "fetch keys of CIs": {
        "task": "benchmarks.tasks.fetch_ci_keys",
        "schedule": crontab("53", "3"),
    },
    "forget benchmark runs": {
        "task": "benchmarks.tasks.forget_runs",
        "schedule": crontab("47", "3"),
    },
    "compute benchmarks": {
        "task": "benchmarks.tasks.compute_due",
        "schedule": timedelta(seconds=30),
    },
}
