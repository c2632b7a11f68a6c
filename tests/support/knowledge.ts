import type { Bucket } from "../../shared/infra/storage/file_store.ts";
import type { Database } from "../../shared/infra/db/database_types.ts";
import { assertEquals } from "./assert.ts";
import { ask, assertReply, type NewFile, type Reply, upload } from "./client.ts";
import { operator, secretKey, type Tenant } from "./project.ts";
import type { Service } from "./service.ts";
import { eventually } from "./eventually.ts";

/** A coach and its account. */
export type Place = Pick<Tenant, "accountId" | "coachId">;

/** A coach, and a key of its account. */
type Keyed = Pick<Tenant, "coachId" | "apiKey">;

export type Passage = { content: string; heading?: string; page?: number };

/** The day so many days from today, by default in UTC, as those of files are. */
export const dayIn = (days: number, timeZone = "UTC") =>
  new Date(Date.now() + days * 86_400_000).toLocaleDateString("sv", { timeZone });

/** A time zone in which it is another day than in UTC just now. */
export const zoneOfAnotherDay = () =>
  ["Pacific/Kiritimati", "Pacific/Pago_Pago"].find((zone) => dayIn(0, zone) !== dayIn(0))!;

/** The row of a file that has neither an object nor passages. */
export function fileRow({ accountId, coachId }: Place, name: string, category = "documents") {
  const id = crypto.randomUUID();
  return {
    id,
    account_id: accountId,
    coach_id: coachId,
    name,
    size: 1_000,
    content_type: "text/plain",
    category,
    digest: id.replaceAll("-", "").repeat(2),
    storage_path: id,
    // With this status and no time, the indexer leaves the file alone.
    status: "ready",
    due_at: null,
  };
}

/** Stores passages of a file from a position on, and returns their new number; null for a deleted file. */
export async function storePassages(fileId: string, passages: Passage[], from = 0): Promise<number | null> {
  const { data } = await operator.rpc("store_passages", {
    file_id: fileId,
    from_position: from,
    passages,
  }).throwOnError();
  return data;
}

/** Adds a file with passages and returns its id. */
export async function addFile(place: Place, name: string, ...passages: (string | Passage)[]): Promise<string> {
  const row = fileRow(place, name);
  await operator.from("knowledge_files").insert(row).throwOnError();
  await storePassages(row.id, passages.map((each) => typeof each === "string" ? { content: each } : each));
  return row.id;
}

/** Takes all deleted passages out of the search index, as the indexer does. */
export async function unindexPassages(): Promise<void> {
  while ((await operator.rpc("unindex_passages").throwOnError()).data);
}

/** The rows of a coach's files, in the order of their upload. The path of a version without bytes is empty. */
export async function rowsOf(coachId: string) {
  const { data } = await operator.from("knowledge_files").select("*").eq("coach_id", coachId).order("number")
    .throwOnError();
  return data.map((row) => ({ ...row, storage_path: row.storage_path ?? "" }));
}

/** The paths of an account's stored objects, sorted. */
export async function objectsOf(accountId: string, bucket: Bucket = "knowledge"): Promise<string[]> {
  return (await objectsBelow(accountId, bucket)).toSorted();
}

async function objectsBelow(folder: string, bucket: Bucket): Promise<string[]> {
  const { data, error } = await operator.storage.from(bucket).list(folder, { limit: 1_000 });
  if (error) throw error;
  const paths = await Promise.all(data.map(({ id, name }) => {
    // Storage lists the entries of the folder, subfolders without an id; `@supabase/lite` lists all files below it.
    const path = name.startsWith(`${folder}/`) ? name : `${folder}/${name}`;
    return id === null ? objectsBelow(path, bucket) : [path];
  }));
  return paths.flat();
}

/** Changes the row of a file, as an operator does. */
export async function updateRow(
  fileId: string,
  change: Database["public"]["Tables"]["knowledge_files"]["Update"],
): Promise<void> {
  await operator.from("knowledge_files").update(change).eq("id", fileId).throwOnError();
}

/** Starts a sweep of the indexer. */
export async function startSweep(service: Pick<Service, "url">): Promise<void> {
  assertReply(await ask(service, "POST", "/indexer", {}, undefined, { headers: { apikey: secretKey } }), 202);
}

/** Runs a sweep of the indexer, and waits until it is done. */
export async function sweep(service: Pick<Service, "url" | "turns">): Promise<void> {
  await startSweep(service);
  await service.turns();
}

/** Sweeps until no file of a coach is due: files of other tests may be taken first and use up a sweep. */
export async function finishIndexing(service: Pick<Service, "url" | "turns">, coachId: string): Promise<void> {
  const isDue = ({ due_at }: { due_at: string | null }) => due_at !== null && Date.parse(due_at) <= Date.now();
  await service.turns();
  await eventually(
    async () => {
      if (!(await rowsOf(coachId)).some(isDue)) return true;
      await sweep(service);
      return false;
    },
    "no file of the coach is due",
    120,
  );
}

/** Makes the postponed files of a coach due, and has them indexed. */
export async function tryAgain(service: Pick<Service, "url" | "turns">, coachId: string): Promise<void> {
  for (const { id, status } of await rowsOf(coachId)) {
    if (status === "queued") await updateRow(id, { due_at: new Date(0).toISOString() });
  }
  await finishIndexing(service, coachId);
}

/** Uploads files and waits until their indexing is over. */
export async function uploadAndIndex(service: Pick<Service, "url" | "turns">, tenant: Keyed, ...files: NewFile[]) {
  const reply = await upload(service, tenant, tenant.coachId, files);
  assertReply(reply, 200);
  assertEquals(reply.json.failedFiles, []);
  await finishIndexing(service, tenant.coachId);
}

/** The reply to a search; `more` is added to its query. */
export async function searchFiles(
  service: Pick<Service, "url" | "turns">,
  { coachId, apiKey }: Keyed,
  text: string,
  more = "",
): Promise<Reply["json"]> {
  const reply = await ask(
    service,
    "GET",
    `/knowledge-handler?coachId=${coachId}&search=${encodeURIComponent(text)}${more}`,
    { apiKey },
  );
  assertReply(reply, 200);
  return reply.json;
}

/** The names of all files that a search finds, best first. */
export async function namesFound(
  service: Pick<Service, "url" | "turns">,
  place: Keyed,
  text: string,
  more?: string,
): Promise<string[]> {
  const { data, count, total } = await searchFiles(service, place, text, more);
  assertEquals([data.length, count], [total, total]);
  return data.map(({ filename }: { filename: string }) => filename);
}

/** Name, state and reason of a coach's files, in the order of their upload. */
export async function statesAndReasons({ coachId }: Keyed) {
  return (await rowsOf(coachId)).map(({ name, status, error }) => [name, status, error]);
}

/**
 * Deletes the pending work of sweeps that other tests and the seed have left: files, and questions of the demo. What is
 * to be compared and sorted into topics is claimed, and so is not due for minutes.
 */
export async function clearQueue(): Promise<void> {
  for (const claim of ["take_comparison", "take_topics"] as const) {
    while ((await operator.rpc(claim).throwOnError()).data !== null);
  }
  for (const table of ["knowledge_files", "open_questions"] as const) {
    await operator.from(table).update({ due_at: null }).not("due_at", "is", null).throwOnError();
  }
}

/** Deletes a coach's files, which would otherwise be left to the sweeps of other tests. */
export async function deleteRows(coachId: string): Promise<void> {
  await operator.from("knowledge_files").delete().eq("coach_id", coachId).throwOnError();
}
