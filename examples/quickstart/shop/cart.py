from shop.util import to_cents


class Item:
    def __init__(self, name, price, count=1):
        self.name = name
        self.price = price
        self.count = count

    def total(self):
        return to_cents(self.price) * self.count


class Cart:
    def __init__(self):
        self.items = []

    def add(self, item):
        self.items.append(item)

    def total(self):
        amount = 0
        for item in self.items:
            amount += item.total()
        return amount
