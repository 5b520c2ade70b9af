-- Tables of a lending library.

CREATE TABLE readers (
    id          INTEGER PRIMARY KEY,
    name        VARCHAR(120) NOT NULL,
    email       VARCHAR(200) UNIQUE,
    joined_on   DATE NOT NULL DEFAULT CURRENT_DATE,
    blocked     BOOLEAN NOT NULL DEFAULT FALSE
);

CREATE TABLE books (
    id          INTEGER PRIMARY KEY,
    title       VARCHAR(300) NOT NULL,
    author      VARCHAR(200) NOT NULL,
    shelf       CHAR(4),
    bought_on   DATE,
    price       NUMERIC(8, 2) CHECK (price >= 0)
);

CREATE TABLE loans (
    id          INTEGER PRIMARY KEY,
    reader_id   INTEGER NOT NULL REFERENCES readers (id),
    book_id     INTEGER NOT NULL REFERENCES books (id),
    lent_on     DATE NOT NULL DEFAULT CURRENT_DATE,
    due_on      DATE NOT NULL,
    returned_on DATE
);

CREATE INDEX loans_by_reader ON loans (reader_id, lent_on);
CREATE INDEX loans_by_book ON loans (book_id, lent_on);
CREATE INDEX books_by_author ON books (author);

-- What is lent at the moment.
CREATE VIEW open_loans AS
SELECT
    loans.id,
    readers.name AS reader,
    books.title AS book,
    loans.due_on
FROM loans
JOIN readers ON readers.id = loans.reader_id
JOIN books ON books.id = loans.book_id
WHERE loans.returned_on IS NULL
ORDER BY loans.due_on;

-- What should have come back.
CREATE VIEW late_loans AS
SELECT
    loans.id,
    readers.name AS reader,
    books.title AS book,
    loans.due_on,
    CURRENT_DATE - loans.due_on AS days_late
FROM loans
JOIN readers ON readers.id = loans.reader_id
JOIN books ON books.id = loans.book_id
WHERE loans.returned_on IS NULL
  AND loans.due_on < CURRENT_DATE
ORDER BY days_late DESC;

CREATE FUNCTION lend(reader INTEGER, book INTEGER, days INTEGER) RETURNS INTEGER AS $$
DECLARE
    loan INTEGER;
BEGIN
    IF EXISTS (SELECT 1 FROM readers WHERE id = reader AND blocked) THEN
        RAISE EXCEPTION 'reader % is blocked', reader;
    END IF;
    IF EXISTS (SELECT 1 FROM loans WHERE book_id = book AND returned_on IS NULL) THEN
        RAISE EXCEPTION 'book % is lent', book;
    END IF;
    INSERT INTO loans (reader_id, book_id, due_on)
    VALUES (reader, book, CURRENT_DATE + days)
    RETURNING id INTO loan;
    RETURN loan;
END;
$$ LANGUAGE plpgsql;

CREATE FUNCTION give_back(book INTEGER) RETURNS BOOLEAN AS $$
BEGIN
    UPDATE loans
    SET returned_on = CURRENT_DATE
    WHERE book_id = book AND returned_on IS NULL;
    RETURN FOUND;
END;
$$ LANGUAGE plpgsql;

INSERT INTO books (id, title, author, shelf, price) VALUES
    (1, 'The long winter', 'A. Berg', 'A-01', 18.50),
    (2, 'The short summer', 'A. Berg', 'A-01', 17.00),
    (3, 'Bridges of the north', 'M. Kowal', 'B-12', 32.90),
    (4, 'Bridges of the south', 'M. Kowal', 'B-12', 34.90),
    (5, 'A year on the river', 'L. Ito', 'C-03', 21.00);

GRANT SELECT ON open_loans TO clerk;
GRANT SELECT ON late_loans TO clerk;
GRANT EXECUTE ON FUNCTION lend TO clerk;
GRANT EXECUTE ON FUNCTION give_back TO clerk;
