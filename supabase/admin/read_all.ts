const pageSize = 1_000;

/** Rows up to a limit, as the client library asks for them. */
type Rows<Row> = PromiseLike<{ data: Row[] | null }>;

/**
 * Reads all rows, the oldest first. Their ids, by which `readPage` has to order them, say where to go on: a project may
 * cut a reply anywhere without saying so.
 */
export async function readAll<Row extends { id: string; created_at: string }>(
  readPage: (page: { after: string | null; limit: number }) => Rows<Row>,
): Promise<Row[]> {
  const rows: Row[] = [];
  while (true) {
    const { data } = await readPage({ after: rows.at(-1)?.id ?? null, limit: pageSize });
    if (!data?.length) return rows.sort(oldestFirst);
    rows.push(...data);
  }
}

/** As `readAll`, for rows without an id: a row that a new one has pushed onto the next page counts once. */
export async function readAllByOffset<Row>(
  readPage: (page: { from: number; to: number }) => Rows<Row>,
  identify: (row: Row) => string,
): Promise<Row[]> {
  const rows = new Map<string, Row>();
  for (let from = 0;;) {
    const { data } = await readPage({ from, to: from + pageSize - 1 });
    if (!data?.length) return [...rows.values()];
    from += data.length;
    for (const row of data) rows.set(identify(row), row);
  }
}

type Made = { id: string; created_at: string };

/** Orders by the moment of creation, and by id within one. */
function oldestFirst(one: Made, other: Made): number {
  return Date.parse(one.created_at) - Date.parse(other.created_at) || (one.id < other.id ? -1 : 1);
}
