"""The pictures of docs/tutorials/, made anew: each tutorial walked in a browser as it is written.

    python -m scripts.screenshots                # all of them, while `make run` runs
    python -m scripts.screenshots company        # one tutorial

It acts as the people of the demonstration: companies sign up, motions are carried. So use data that
nobody needs, best a fresh `make run`. `STATE_DIR` names another state folder than `var/`.
"""
