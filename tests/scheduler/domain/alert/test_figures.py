from scheduler.domain.alert.figures import without_money


def test_who_may_not_see_prices_sees_neither_amounts_nor_how_prices_stand_to_each_other() -> None:
    told = [
        ("busy", "12 GPU-hours"),
        ("break-even", "62.0 %"),
        ("with launches that fail", "55.0 %"),
        ("a week", "1,200.00 USD"),
    ]
    assert without_money(told) == [("busy", "12 GPU-hours")]
