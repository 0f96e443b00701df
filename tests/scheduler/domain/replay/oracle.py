"""Jobs out of what pods held, in plain loops over hours: nothing of the product is used but its plain rows."""

from fractions import Fraction

MS = 3_600_000


def jobs_by_hand(recorded):
    """The hours known, GPUs serving needed in each, and the jobs.

    A job is its name, workload, first step, arrival, block, GPUs used, steps and GPU-milliseconds.
    """
    known = [hour for hour in recorded.hours if _is_known(recorded, hour)]
    made = _made(_groups(_stays(recorded, known)))
    jobs = _with_arrivals(made, [dict(hour.queued or {}) for hour in known])
    serving = []
    for hour in known:
        gpu_ms = sum(p.allocated for p in recorded.pods if p.hour == hour.hour and p.workload == "serving")
        gpu_ms += (hour.queued or {}).get("serving", 0)
        serving.append(-(-gpu_ms // MS))
    return [hour.hour for hour in known], serving, jobs


def _is_known(recorded, hour):
    total = 0
    for pod in recorded.pods:
        if pod.hour == hour.hour:
            total += pod.allocated
    return hour.allocated == total and bool(hour.expected) and Fraction(hour.known, hour.expected) >= Fraction(9, 10)


def _who(pod):
    return (pod.namespace, pod.pod, pod.uid, pod.cluster_queue, pod.workload)


def _stays(recorded, known):
    stays = []
    for who in sorted({_who(pod) for pod in recorded.pods if pod.workload != "serving"}):
        stay = None
        for step, hour in enumerate(known):
            held = sum(pod.allocated for pod in recorded.pods if pod.hour == hour.hour and _who(pod) == who)
            if not held:
                stay = None
                continue
            if stay is None:
                stay = (who, step, [])
                stays.append(stay)
            stay[2].append(held)
    return stays


def _groups(stays):
    groups = []
    for who, first, amounts in stays:
        family = (who[0], _family(who[1]), who[3], first, first + len(amounts), who[4])
        for group in groups:
            if who[4] == "training" and group["family"] == family:
                group["stays"].append(amounts)
                break
        else:
            groups.append({"family": family, "first": first, "stays": [amounts], "who": who})
    return groups


def _made(groups):
    made = []
    for group in groups:
        used = sum(-(-max(amounts) // MS) for amounts in group["stays"])
        total = sum(sum(amounts) for amounts in group["stays"])
        steps = int(Fraction(total, used * MS) + Fraction(1, 2))
        size = 1
        while size < used:
            size *= 2
        namespace, name, _, _, workload = group["who"]
        made.append((f"{namespace}/{name}", workload, group["first"], size, used, max(1, steps), total))
    return sorted(made, key=lambda one: (one[2], one[0]))


def _with_arrivals(made, waiting):
    jobs = []
    for name, workload, first, size, used, steps, total in made:
        arrival = first
        while arrival and waiting[arrival - 1].get(workload, 0) >= used * MS:
            arrival -= 1
            waiting[arrival][workload] -= used * MS
        jobs.append((name, workload, first, arrival, size, used, steps, total))
    return jobs


def _family(name):
    """A pod's name without what its controller put behind it, twice at most."""
    for _ in range(2):
        head, dash, tail = name.rpartition("-")
        is_number = tail.isascii() and tail.isdigit() and len(tail) <= 5
        is_given = len(tail) == 5 and all(letter in "abcdefghijklmnopqrstuvwxyz0123456789" for letter in tail)
        if dash and (is_number or is_given):
            name = head
    return name
