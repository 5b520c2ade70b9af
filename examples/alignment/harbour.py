class Harbour:
    def __init__(self, berths):
        self.berths = berths
        self.log = []

    def arrive(self, ship):
        berth = self.free_berth(ship.length)
        if berth is None:
            raise Full(ship.name)
        berth.ship = ship
        self.log.append(ship.name)
        return berth

    def leave(self, ship):
        berth = self.berth_of(ship)
        berth.ship = None
        self.log.append(ship.name)
