import { readAdmitted, readBodyBytes } from "../../http/read_input.ts";
import type { ReadFields } from "../../http/endpoint.ts";

/** Bytes of a picture. */
export const maxPictureBytes = 1024 * 1024;

/** The body of a request. It is read when it is asked for. */
export const readPictureFields: ReadFields = (c) => {
  const { raw } = c.req;
  return { picture: () => readAdmitted(raw, c.get("incoming"), () => readBodyBytes(raw, maxPictureBytes)) };
};
