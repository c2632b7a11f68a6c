import { brotliCompress, constants } from "node:zlib";
import { promisify } from "node:util";

/** The size in bytes after compression with the default settings of the Supabase CLI's library. */
export async function sizeCompressed(bytes: Uint8Array): Promise<number> {
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };
  return (await promisify(brotliCompress)(bytes, options)).length;
}
