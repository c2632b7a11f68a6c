import * as z from "zod/mini";
import type { AccountDatabase } from "../../infra/db/account_database.ts";
import { type Database, readReply } from "../../infra/db/database.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { FileSection } from "./replies.ts";
import { uuidPattern } from "../../core/wire/ids.ts";

/** A file, as a client names it. */
export type NamedFile = { coachId: string; fileId: string };

/** An invalid ID is looked up like an unknown one, because the coach and the caller's rights must be checked first. */
function namesOf({ coachId, fileId }: NamedFile) {
  const id = uuidPattern.test(fileId) ? fileId : "00000000-0000-0000-0000-000000000000";
  return { coach_id: coachId, file_id: id };
}

/** A file with its sections, in the JSON of the reply. */
export async function readOutline(database: AccountDatabase, file: NamedFile): Promise<Uint8Array<ArrayBuffer>> {
  return await database.callForBytes("get_knowledge_file", { ...namesOf(file), is_outlined: true });
}

const Sections = z.pipe(
  z.object({
    fileId: z.string(),
    filename: z.string(),
    contentType: z.string(),
    source_url: z.nullable(z.string()),
    fetched_at: z.nullable(z.string()),
    passages: z.int(),
    sections: z.array(FileSection),
  }),
  z.transform(({ fileId, contentType, ...file }) => ({ file_id: fileId, content_type: contentType, ...file })),
);

/** The sections of a file that the caller may read. */
export async function readSections(database: AccountDatabase, file: NamedFile): Promise<z.infer<typeof Sections>> {
  const reply = await readOutline(database, file);
  return readReply("get_knowledge_file", Sections, reply);
}

/** Returns the ID of a file that the caller may read. */
export async function requireFile(database: AccountDatabase, file: NamedFile): Promise<string> {
  const args = { ...namesOf(file), is_outlined: false };
  const { fileId } = await database.call("get_knowledge_file", args, z.object({ fileId: z.string() }));
  return fileId;
}

/** The ID of a passage: the MD5 of its text. */
const passagePattern = /^[0-9a-f]{32}$/;

const PassageRow = z.object({
  passage_id: z.string(),
  position: z.int(),
  page: z.nullable(z.int()),
  heading: z.nullable(z.string()),
  content: z.string(),
});
export type PassageRow = z.infer<typeof PassageRow>;

const Neighborhood = z.object({
  file_id: z.string(),
  filename: z.string(),
  content_type: z.string(),
  source_url: z.nullable(z.string()),
  fetched_at: z.nullable(z.string()),
  /** The place of the passage that was asked for. */
  position: z.int(),
  passages: z.array(PassageRow),
});

/** The passages around a passage, in the order of the file: one more on each side than is asked for, if there is one. */
export async function readNeighborhood(
  database: AccountDatabase,
  { passageId, before, after, ...file }: NamedFile & { passageId: string; before: number; after: number },
): Promise<z.infer<typeof Neighborhood>> {
  return await database.call(
    "get_passage",
    { ...namesOf(file), passage_id: passagePattern.test(passageId) ? passageId : null, before, after },
    Neighborhood,
  );
}

const StoredOriginal = z.nullable(
  replyObject({ storage_path: z.string(), filename: z.string(), content_type: z.string(), size: z.number() }),
);

/** Where the bytes of a file are; null if the file is deleted. Only for an address whose signature is valid. */
export async function findOriginal(database: Database, fileId: string): Promise<z.infer<typeof StoredOriginal>> {
  return await database.call("find_original", { file_id: fileId }, StoredOriginal);
}
