"""Stock of a bicycle depot: wheels, frames and chains come in, are counted, and go out again."""

import json
import logging
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path

log = logging.getLogger(__name__)

SHELVES = 48
LOWEST_STOCK = 5
DELIVERY_DAYS = {"wheel": 3, "frame": 14, "chain": 2}


class DepotError(Exception):
    """Something that the depot cannot do."""


class UnknownPart(DepotError):
    """A part that no shelf has a label for."""


@dataclass
class Part:
    code: str
    kind: str
    price: float
    shelf: int = 0
    tags: list[str] = field(default_factory=list)

    def label(self) -> str:
        return f"{self.kind}/{self.code}"

    def is_cheap(self) -> bool:
        return self.price < 10.0


@dataclass
class Order:
    number: int
    part: Part
    amount: int
    due: date

    def total(self) -> float:
        return self.part.price * self.amount

    def is_late(self, today: date) -> bool:
        return today > self.due


class Depot:
    def __init__(self, path: Path):
        self.path = path
        self.parts: dict[str, Part] = {}
        self.stock: dict[str, int] = {}
        self.orders: list[Order] = []

    def add_part(self, part: Part) -> None:
        if part.code in self.parts:
            raise DepotError(f"part {part.code} is known already")
        if not 0 <= part.shelf < SHELVES:
            raise DepotError(f"shelf {part.shelf} does not exist")
        self.parts[part.code] = part
        self.stock[part.code] = 0
        log.info("added part %s", part.label())

    def remove_part(self, code: str) -> Part:
        if code not in self.parts:
            raise UnknownPart(code)
        if self.stock[code] > 0:
            raise DepotError(f"part {code} is still in stock")
        part = self.parts.pop(code)
        del self.stock[code]
        log.info("removed part %s", part.label())
        return part

    def receive(self, code: str, amount: int) -> int:
        if code not in self.parts:
            raise UnknownPart(code)
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.stock[code] += amount
        log.info("received %d of %s", amount, code)
        return self.stock[code]

    def dispatch(self, code: str, amount: int) -> int:
        if code not in self.parts:
            raise UnknownPart(code)
        if amount <= 0:
            raise ValueError("amount must be positive")
        if self.stock[code] < amount:
            raise DepotError(f"only {self.stock[code]} of {code} left")
        self.stock[code] -= amount
        log.info("dispatched %d of %s", amount, code)
        return self.stock[code]

    def reorder(self, today: date) -> list[Order]:
        created = []
        for code, part in sorted(self.parts.items()):
            if self.stock[code] >= LOWEST_STOCK:
                continue
            if any(order.part.code == code for order in self.orders):
                continue
            days = DELIVERY_DAYS.get(part.kind, 7)
            order = Order(len(self.orders) + 1, part, LOWEST_STOCK * 2, today + timedelta(days=days))
            self.orders.append(order)
            created.append(order)
        return created

    def late_orders(self, today: date) -> list[Order]:
        late = []
        for order in self.orders:
            if order.is_late(today):
                late.append(order)
        return late

    def save(self) -> None:
        data = {
            "parts": {code: vars(part) for code, part in self.parts.items()},
            "stock": self.stock,
        }
        with self.path.open("w", encoding="utf-8") as file:
            json.dump(data, file, indent=2, sort_keys=True)

    def load(self) -> None:
        if not self.path.exists():
            return
        with self.path.open(encoding="utf-8") as file:
            data = json.load(file)
        for code, values in data["parts"].items():
            self.parts[code] = Part(**values)
        self.stock.update(data["stock"])


def value_of_stock(depot: Depot) -> float:
    total = 0.0
    for code, amount in depot.stock.items():
        total += depot.parts[code].price * amount
    return total


def value_of_orders(depot: Depot) -> float:
    total = 0.0
    for order in depot.orders:
        total += order.total()
    return total


def main() -> int:
    logging.basicConfig(level=logging.INFO, format="%(levelname)s: %(message)s")
    depot = Depot(Path("depot.json"))
    depot.load()
    for order in depot.reorder(date.today()):
        print(f"order {order.number}: {order.amount} x {order.part.label()}")
    for order in depot.late_orders(date.today()):
        print(f"late: {order.number}, due {order.due.isoformat()}")
    print(f"stock is worth {value_of_stock(depot):.2f}")
    depot.save()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
