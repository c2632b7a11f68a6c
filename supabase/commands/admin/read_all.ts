const pageSize = 1_000;

/** The reply to a query of the client library. */
type Rows<Row> = PromiseLike<{ data: Row[] | null }>;

/**
 * Reads all rows, and returns the oldest first. `readPage` must order by ID: the next page starts after the last ID,
 * because a project may cut a reply at any length without reporting it.
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

/**
 * The same for rows without an ID. If a new row moves another one to the next page, that one is read twice, but returned
 * once.
 */
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

/** Orders by time of creation, then by id. */
function oldestFirst(one: Made, other: Made): number {
  return Date.parse(one.created_at) - Date.parse(other.created_at) || (one.id < other.id ? -1 : 1);
}
