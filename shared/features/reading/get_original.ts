import * as z from "zod/mini";
import { Timestamp } from "../../core/wire/fields.ts";
import { defineEndpoint } from "../../http/endpoint.ts";
import { fileColumns } from "../knowledge/fields.ts";
import { coachId, fileId, ofReaders, scope } from "./fields.ts";
import { signAddress } from "./original_address.ts";

export const OriginalAddress = z.object({
  url: z.string().check(z.describe("Opens the original, without a key, until `expires_at`")),
  expires_at: Timestamp,
});

const FoundFileId = z.object({ fileId: z.string() });

/** Seconds for which an address is valid. */
const lifetime = 60;

/** Makes an address that opens the original of a file for a minute, without a key. */
export const operation = defineEndpoint({
  name: "getOriginal",
  method: "GET",
  path: "/knowledge-handler/:fileId/content",
  scope,
  failure: "Failed to read file",
  errors: ofReaders,
  input: z.object({ coachId, fileId }),
  output: OriginalAddress,
  async verb({ database, services }, file): Promise<z.infer<typeof OriginalAddress>> {
    const columns = { ...fileColumns(file), is_outlined: false };
    const { fileId } = await database.call("get_knowledge_file", columns, FoundFileId);
    const expiresAt = new Date((Math.floor(Date.now() / 1_000) + lifetime) * 1_000);
    const token = await signAddress(services.secretKeys, { fileId, expiresAt });
    return {
      url: `${services.publicUrl}/functions/v1/knowledge-handler/originals/${token}`,
      expires_at: expiresAt.toISOString(),
    };
  },
});
