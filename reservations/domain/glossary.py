"""Every word with a meaning of its own, in one place; tooltips and README take it from here."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """A word as the ledger, the JSON keys and the pages spell it, in one sentence, with its unit."""

    name: str
    meaning: str
    unit: str = ""

    @property
    def label(self) -> str:
        """Its name as a reader says it."""
        return self.name.replace("_", " ")


HOLDING = (
    Term(
        "capacity_reservation", "A provider's promise to keep machines of one instance type free for us.", "instances"
    ),
    Term("capacity_block", "A reservation bought for a fixed time, paid up front, gone at its end.", "instances"),
    Term("commitment", "A contract that lowers a price and holds no machine: Savings Plan, RI, CUD."),
    Term("node_pool", "The nodes of one instance type that one or more reservations back.", "nodes"),
    Term("owner", "The team that answers for a pool or a queue and decides about its renewal."),
    Term("cluster_queue", "A queue of Kueue: jobs wait in it for the GPUs that it is entitled to."),
    Term("cohort", "Cluster queues that may lend each other what they do not use."),
    Term("nominal_quota", "What a queue is entitled to without borrowing.", "GPUs"),
    Term("borrowed", "What a queue uses beyond its nominal quota.", "GPUs"),
    Term("usable_until", "When a block stops working: before its billed end.", "instant"),
    Term("sweep", "One complete listing of an account's reservations in one region."),
    Term("observation", "What one sweep saw of one reservation at one instant; it holds for ten minutes at most."),
)

LEDGER = (
    Term("reserved", "What the active reservations of the pool promised, over their usable life.", "GPU-hours"),
    Term("paid", "What they bill, over their billed life: cost and break-even use this.", "GPU-hours"),
    Term("paid_unusable", "Paid less reserved: billed outside the usable life, as the end of a block is.", "GPU-hours"),
    Term("ec2_unused", "Reserved, but nothing was launched into it.", "GPU-hours"),
    Term("launched", "Reserved less what nothing was launched into.", "GPU-hours"),
    Term("expected", "GPUs present on the pool's nodes, none counted beyond the physical ones.", "GPU-hours"),
    Term(
        "not_joined",
        "Launched but not present in the cluster: booting, drained or broken; may be negative.",
        "GPU-hours",
    ),
    Term(
        "not_observed", "Reserved less expected, in hours where the provider was not asked often enough.", "GPU-hours"
    ),
    Term("known", "Device time that a valid sample speaks for.", "GPU-hours"),
    Term("unknown", "Device time that was expected and has no valid sample.", "GPU-hours"),
    Term("coverage", "Known ÷ expected: how much of the machine park the figures speak for.", "share"),
    Term("busy", "Known device time in which the SMs were active above the source's threshold.", "GPU-hours"),
    Term("busy_high", "Busy plus unknown: the most that can have been busy.", "GPU-hours"),
    Term("busy_share", "Busy ÷ reserved: how much of what was promised worked.", "share"),
    Term("busy_paid_share", "Busy ÷ paid: what is held against the break-even.", "share"),
    Term("sm", "SM activity added up over known time: how hard the GPUs worked, not how long.", "GPU-hours"),
    Term("idle", "Known device time that was not busy.", "GPU-hours"),
    Term("idle_held", "Idle while a pod held the device.", "GPU-hours"),
    Term("idle_free", "Idle while no pod held the device.", "GPU-hours"),
    Term("idle_unsplit", "Idle where the exporter does not say whether a pod held the device.", "GPU-hours"),
    Term("allocated", "GPUs that bound pods asked for, none counted beyond a node's physical ones.", "GPU-hours"),
    Term("owner_busy", "Busy for a queue within its own nominal quota.", "GPU-hours"),
    Term("borrower_busy", "Busy for a queue beyond its nominal quota, whoever owns the pool.", "GPU-hours"),
    Term("unmanaged_busy", "Busy for pods outside any queue.", "GPU-hours"),
    Term("unattributed_busy", "Busy with no pod label, or for a queue whose quota is not known.", "GPU-hours"),
    Term("lent", "Busy time of other teams beyond their quota, in pools that a team owns.", "GPU-hours"),
    Term("borrowed_time", "Busy time of a team beyond its quota, in pools that other teams own.", "GPU-hours"),
    Term("own_beyond", "Busy time of a team beyond its quota, in pools that it owns itself.", "GPU-hours"),
    Term("busy_unsplit", "Busy in hours where nobody can say for whom.", "GPU-hours"),
    Term("not_accounted", "Reserved in hours where no known quantity says what became of it.", "GPU-hours"),
    Term("cost_of_idle", "Idle GPU-hours at the reserved price; paid but not usable ones are not among them.", "money"),
    Term("waterfall", "Reserved time taken apart step by step until only busy time is left."),
    Term("final", "An hour read again a day after it ended; it changes no more by itself."),
    Term("flag", "A named doubt about an hour, with its reason in one sentence."),
    Term("hours_missing", "Hours of the period that were never collected: missing, not zero.", "hours"),
    Term("accounting_zone", "The time zone in which the organisation cuts its days and months."),
)

DECIDING = (
    Term("on_demand_price", "What one node or GPU costs per hour without a reservation.", "money per hour"),
    Term("reserved_price", "What one reserved node or GPU costs per hour, used or not.", "money per hour"),
    Term("break_even", "Reserved ÷ on-demand price: where busy ÷ paid is above it, holding is cheaper.", "share"),
    Term(
        "double_pay",
        "Free slots beside on-demand instances that fit them, Σ min of both × time, of one shape.",
        "GPU-hours",
    ),
    Term("near_miss", "The same where an instance fits a free slot in all but zone, platform or tenancy.", "GPU-hours"),
    Term("reserved_coverage", "Ran reserved ÷ (ran reserved + ran on demand beside it), of one shape.", "share"),
    Term("waste_not_busy", "Reserved − busy, at the reserved price, over the hours in which busy is known.", "money"),
    Term(
        "waste_not_allocated",
        "Reserved − allocated, at the reserved price, over the hours in which allocated is known.",
        "money",
    ),
    Term("commitment_utilisation", "Used ÷ committed money, over the days on which both are known.", "share"),
    Term("commitment_coverage", "What commitments covered ÷ what they could have.", "share"),
    Term("effective_rate", "Commitment used and on-demand part ÷ hours.", "money per hour"),
    Term("effective_savings_rate", "Share saved: 1 − what was paid ÷ what the same use costs on demand.", "share"),
    Term("unused_commitment", "Money that was committed and that nothing used.", "money"),
    Term("demand", "Nodes that an hour needed: what pods held and work waited for on average, in whole ones.", "nodes"),
    Term("load_duration_curve", "For each number of nodes, the share of hours that needed at least as many.", "share"),
    Term("adjusted_break_even", "The break-even where launches on demand fail at times and that costs.", "share"),
    Term("rule_size", "The most nodes that are each needed in more of the hours than the break-even.", "nodes"),
    Term("adjusted_size", "The same against the adjusted break-even.", "nodes"),
    Term("overflow", "Demand above what is held: it is bought on demand, or as spot or flex.", "node-hours"),
    Term("fail_probability", "Which share of launches on demand fails when they are needed: q.", "share"),
    Term("shortage_cost", "What a node-hour costs that could not be had: L.", "money per hour"),
    Term("regret", "What a choice costs more than the cheapest size, over the same hours.", "money"),
    Term("plateau", "The sizes that cost at most 1 % more than the cheapest.", "nodes"),
    Term("packed_size", "The fewest nodes on which better placement would have delivered the same work.", "nodes"),
    Term("recommendation", "Keep, grow, shrink or let lapse: what demand, prices and placement say of a pool."),
    Term("evidence", "All that a recommendation was made from, frozen with it; its hash tells whether it is the same."),
    Term("bootstrap_band", "Where nine of ten sizes lie when whole weeks are drawn again and again.", "nodes"),
    Term(
        "checkpoint_deadline",
        "When a job has to begin its last checkpoint: usable until − what its slowest checkpoints take − ten minutes.",
        "instant",
    ),
    Term("decision_date", "The day by which it must be decided what follows a reservation.", "day"),
)

ALLOCATING = (
    Term("grid", "Which job each GPU runs at each step of the horizon, or none."),
    Term("horizon", "The steps that are planned; what goes on after it is inherited by the next plan.", "steps"),
    Term(
        "gang_block", "Neighbouring GPUs, a power of two, that a job holds together from its start to its end.", "GPUs"
    ),
    Term("real_time_job", "A job that follows its demand from step to step: inference that people wait for."),
    Term("swap_cap", "The most GPUs that a real-time job may add and drop between two steps.", "GPUs"),
    Term("inherited", "Running when the plan begins: it keeps its GPUs."),
    Term("unmet_demand", "What real-time jobs want and do not have, added up over the steps.", "GPU-steps"),
    Term(
        "allocation_value",
        "Priority × GPU-steps of blocks, less the later they are, minus the penalty on unmet demand.",
        "weighted GPU-steps",
    ),
    Term("half_life", "After so many steps a GPU-step counts half: what is done now counts more.", "steps"),
    Term("realtime_penalty", "How many times its priority a missing GPU-step of a real-time job costs, 5 to 10."),
    Term("utilization", "GPU-steps that wanted work runs on ÷ all; GPUs that are merely held do not count.", "share"),
    Term(
        "fifo", "First in, first out: jobs are placed as they arrive, real-time ones hold their day's maximum all day."
    ),
    Term("bound", "What no plan can be worth more than, proved by prices.", "weighted GPU-steps"),
    Term("gap", "Bound less value, ÷ bound: how much better a plan could be at most.", "share"),
    Term(
        "step_price", "What a GPU is worth for one step to whoever could have it, by the bound.", "weighted GPU-steps"
    ),
)

ALERTING = (
    Term(
        "alert",
        "One stretch of time in which a rule finds something wrong with one thing; what comes back later is another.",
    ),
    Term("acknowledged", "Somebody looks after an alert, so nobody else is told of it again."),
    Term("snoozed", "An alert put off until a time, two weeks ahead at most; it wakes before if it gets worse."),
    Term("route", "An address that messages about alerts go to: a person's, a team's or the organisation's."),
)

AUDITING = (
    Term("audit_act", "What somebody did, as the audit trail has it: a decision, a change, an export or a log-in."),
    Term("audit_head", "How far the audit trail has come: the number of its events and the hash of the last one."),
    Term("evidence_pack", "What is known of one object in one file: documents, its trail, and a hash of each of them."),
)

PROCURING = (
    Term(
        "procurement_rule",
        "What may be bought without asking, and who approves up to which amount what departs from it.",
    ),
    Term("exception", "A request to buy other than the procurement rule says, for one pool and one term."),
    Term(
        "break_glass", "An approval by one person alone in an emergency, which somebody else must sign off afterwards."
    ),
    Term(
        "delegation",
        "One's own authority to approve, lent to somebody for a time and up to an amount; never handed on.",
    ),
)

TERMS = (*HOLDING, *LEDGER, *DECIDING, *ALLOCATING, *ALERTING, *AUDITING, *PROCURING)

GLOSSARY: dict[str, str] = {term.name: f"{term.meaning} ({term.unit})" if term.unit else term.meaning for term in TERMS}
"""Meaning and unit by name, for tooltips."""
