def to_cents(price):
    return int(price * 100)
