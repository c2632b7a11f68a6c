import { brotliCompress, constants } from "node:zlib";
import { promisify } from "node:util";

/** How many bytes are left when the Supabase CLI has compressed something: its library does so by default. */
export async function sizeCompressed(bytes: Uint8Array): Promise<number> {
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };
  return (await promisify(brotliCompress)(bytes, options)).length;
}
