import type { IncomingRequest } from "../core/context.ts";
import { statedLength } from "./read_json_body.ts";

/** The longest body, in bytes, that is read of a request before it is admitted. */
const maxLength = 16 * 1024;

/**
 * Reads the body of a request whose key may not have been checked. A short one that is there at once is read, so that the
 * call which does the work can admit the request. For one that is long, or slow to come, the request is admitted first:
 * nobody without a valid key can fill the memory of a worker, or keep it waiting.
 *
 * @throws as `Admission.require` and `read` do
 */
export async function readAdmitted<Body>(
  request: Request,
  { admission, services: { timeouts } }: IncomingRequest,
  read: () => Promise<Body>,
): Promise<Body> {
  if (!(statedLength(request) <= maxLength)) await admission.require();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise((resolve, reject) => {
      // What is refused is not waited for, and may fail later.
      timer = setTimeout(() => admission.require().catch(reject), timeouts.body);
      read().then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
  }
}
