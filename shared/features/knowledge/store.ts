import * as z from "zod/mini";
import { type AccountDatabase, callRepeatable } from "../../infra/db/account_database.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import type { RequestIdentity } from "../../core/wire/request_identity.ts";
import type { Category } from "./file_types.ts";
import { KnowledgeFile } from "./replies.ts";

/** The coach whose knowledge is changed, and the user who changes it. */
export type Writer = {
  coachId: string;
  /** Null: the key acts alone. */
  userId: string | null;
};

const BegunUpload = replyObject({ upload_id: z.string() });
const UploadedFiles = z.nullable(z.array(KnowledgeFile));
const DeletedFile = replyObject({ storage_path: z.string() });

/** A file whose object is stored. */
export type StoredFile = {
  /** The number of its object within the upload. */
  object: number;
  name: string;
  /** In bytes. */
  size: number;
  contentType: string;
  category: Category;
  digest: string;
};

/** Begins an upload, and returns the ID under which its objects may be stored. */
export async function beginUpload(
  database: AccountDatabase,
  { coachId, userId }: Writer,
): Promise<{ uploadId: string }> {
  return await database.call(
    "begin_upload",
    { coach_id: coachId, user_id: userId },
    BegunUpload,
  );
}

/** The end of an upload: all of its files, or none if it has failed. */
export type EndedUpload = Writer & RequestIdentity & {
  uploadId: string;
  /** The number of objects begun; those without a file are removed later. */
  objects: number;
  files: StoredFile[];
  requestId: string;
};

/** Ends an upload: all of its files appear together. Returns null if it took so long that it was already abandoned. */
export async function endUpload(
  database: AccountDatabase,
  upload: EndedUpload,
): Promise<KnowledgeFile[] | null> {
  return await callRepeatable(database, "end_upload", {
    upload_id: upload.uploadId,
    coach_id: upload.coachId,
    objects: upload.objects,
    files: upload.files.map(({ contentType, ...file }) => ({ ...file, content_type: contentType })),
    user_id: upload.userId,
    request_id: upload.requestId,
    idempotency_key: upload.idempotencyKey,
    fingerprint: upload.fingerprint,
  }, UploadedFiles);
}

/** Deletes a file with its passages, and returns the path of its object, which still exists. */
export async function deleteFile(
  database: AccountDatabase,
  { coachId, userId }: Writer,
  fileId: string,
): Promise<{ storagePath: string }> {
  return await database.call(
    "delete_knowledge_file",
    { coach_id: coachId, user_id: userId, file_id: fileId },
    DeletedFile,
  );
}

/** A page of the list of files. */
export type FileSearch = {
  coachId: string;
  /** Null: all files. */
  search: string | null;
  /** The embedding of `search`; null without a model for it. */
  queryVector: string | null;
  category: Category | null;
  page: number;
  pageSize: number;
};

/** The reply of a search, in the JSON of the interface. */
export async function searchFiles(
  database: AccountDatabase,
  search: FileSearch,
): Promise<Uint8Array<ArrayBuffer>> {
  return await database.callForBytes("search_knowledge", {
    coach_id: search.coachId,
    search: search.search,
    category: search.category,
    page: search.page,
    page_size: search.pageSize,
    query_vector: search.queryVector,
  });
}
