import { useEffect, useMemo, useState } from "react";

import { fetchCards, saveCard } from "./api";
import { Spinner } from "./Spinner";

const COLUMNS = ["open", "doing", "done"];

function Card({ card, onMove, onDelete }) {
  const index = COLUMNS.indexOf(card.column);
  return (
    <li className="card" data-id={card.id}>
      <h3>{card.title}</h3>
      {card.text && <p>{card.text}</p>}
      <div className="buttons">
        <button disabled={index === 0} onClick={() => onMove(card, COLUMNS[index - 1])}>
          Back
        </button>
        <button disabled={index === COLUMNS.length - 1} onClick={() => onMove(card, COLUMNS[index + 1])}>
          Forward
        </button>
        <button className="danger" onClick={() => onDelete(card)}>
          Delete
        </button>
      </div>
    </li>
  );
}

function Column({ name, cards, onMove, onDelete }) {
  return (
    <section className={`column column-${name}`}>
      <h2>
        {name} <span className="count">{cards.length}</span>
      </h2>
      <ul>
        {cards.map((card) => (
          <Card key={card.id} card={card} onMove={onMove} onDelete={onDelete} />
        ))}
      </ul>
    </section>
  );
}

function NewCard({ onCreate }) {
  const [title, setTitle] = useState("");
  const [text, setText] = useState("");

  function submit(event) {
    event.preventDefault();
    if (title.trim() === "") {
      return;
    }
    onCreate({ title: title.trim(), text: text.trim(), column: "open" });
    setTitle("");
    setText("");
  }

  return (
    <form className="new-card" onSubmit={submit}>
      <input value={title} onChange={(event) => setTitle(event.target.value)} placeholder="Title" />
      <textarea value={text} onChange={(event) => setText(event.target.value)} placeholder="Text" />
      <button type="submit">Add</button>
    </form>
  );
}

export function Board({ board }) {
  const [cards, setCards] = useState([]);
  const [loading, setLoading] = useState(true);
  const [error, setError] = useState(null);

  useEffect(() => {
    let cancelled = false;
    fetchCards(board)
      .then((found) => {
        if (!cancelled) {
          setCards(found);
        }
      })
      .catch((reason) => {
        if (!cancelled) {
          setError(reason.message);
        }
      })
      .finally(() => {
        if (!cancelled) {
          setLoading(false);
        }
      });
    return () => {
      cancelled = true;
    };
  }, [board]);

  const grouped = useMemo(() => {
    const groups = Object.fromEntries(COLUMNS.map((name) => [name, []]));
    for (const card of cards) {
      groups[card.column].push(card);
    }
    return groups;
  }, [cards]);

  async function move(card, column) {
    const moved = { ...card, column };
    setCards((all) => all.map((other) => (other.id === card.id ? moved : other)));
    await saveCard(board, moved);
  }

  async function create(card) {
    const created = await saveCard(board, card);
    setCards((all) => [...all, created]);
  }

  function remove(card) {
    setCards((all) => all.filter((other) => other.id !== card.id));
  }

  if (loading) {
    return <Spinner />;
  }
  if (error !== null) {
    return <p className="error">{error}</p>;
  }
  return (
    <main className="board">
      <NewCard onCreate={create} />
      {COLUMNS.map((name) => (
        <Column key={name} name={name} cards={grouped[name]} onMove={move} onDelete={remove} />
      ))}
    </main>
  );
}
