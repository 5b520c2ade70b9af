package ferry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sort"
	"sync"
	"time"
)

// ErrFull is returned when a ferry has no room left.
var ErrFull = errors.New("ferry is full")

// ErrClosed is returned when boarding has ended.
var ErrClosed = errors.New("boarding has ended")

// Vehicle is anything that takes room on the deck.
type Vehicle struct {
	Plate  string
	Length float64
	Height float64
}

// Passenger is a person without a vehicle.
type Passenger struct {
	Name  string
	Cabin int
}

// Ferry knows what is on board.
type Ferry struct {
	mu         sync.Mutex
	name       string
	deck       float64
	cabins     int
	vehicles   []Vehicle
	passengers []Passenger
	closed     bool
}

// New returns an empty ferry.
func New(name string, deck float64, cabins int) *Ferry {
	return &Ferry{
		name:   name,
		deck:   deck,
		cabins: cabins,
	}
}

// BoardVehicle takes a vehicle on board.
func (f *Ferry) BoardVehicle(v Vehicle) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return ErrClosed
	}
	if f.usedDeck()+v.Length > f.deck {
		return fmt.Errorf("vehicle %s: %w", v.Plate, ErrFull)
	}
	f.vehicles = append(f.vehicles, v)
	return nil
}

// BoardPassenger takes a passenger on board.
func (f *Ferry) BoardPassenger(p Passenger) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return ErrClosed
	}
	if len(f.passengers) >= f.cabins {
		return fmt.Errorf("passenger %s: %w", p.Name, ErrFull)
	}
	f.passengers = append(f.passengers, p)
	return nil
}

func (f *Ferry) usedDeck() float64 {
	used := 0.0
	for _, v := range f.vehicles {
		used += v.Length
	}
	return used
}

// Plates lists the plates of all vehicles.
func (f *Ferry) Plates() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	plates := make([]string, 0, len(f.vehicles))
	for _, v := range f.vehicles {
		plates = append(plates, v.Plate)
	}
	sort.Strings(plates)
	return plates
}

// Names lists the names of all passengers.
func (f *Ferry) Names() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	names := make([]string, 0, len(f.passengers))
	for _, p := range f.passengers {
		names = append(names, p.Name)
	}
	sort.Strings(names)
	return names
}

// Depart closes the ferry, or waits until the context ends.
func (f *Ferry) Depart(ctx context.Context, delay time.Duration) error {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
	}
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	return nil
}

// Server answers questions about a ferry.
type Server struct {
	ferry *Ferry
	mux   *http.ServeMux
}

// NewServer returns a server with all routes.
func NewServer(ferry *Ferry) *Server {
	s := &Server{ferry: ferry, mux: http.NewServeMux()}
	s.mux.HandleFunc("/plates", s.handlePlates)
	s.mux.HandleFunc("/names", s.handleNames)
	return s
}

func (s *Server) handlePlates(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	for _, plate := range s.ferry.Plates() {
		fmt.Fprintln(w, plate)
	}
}

func (s *Server) handleNames(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	for _, name := range s.ferry.Names() {
		fmt.Fprintln(w, name)
	}
}
