import { isThisMachine } from "../../supabase/platform/local_address.ts";

/** A Supabase that is already running, whose data the tests may change. */
export type RunningProject = { url: string; publishableKey: string; secretKey: string };

/**
 * The Supabase that the tests use; null means that they start a new one. It is named by variables that nothing else
 * reads, so that the tests never change a project that the shell's `SUPABASE_URL` names.
 *
 * @throws {Error} with a sentence for the person at the terminal when a variable is missing, or is not to be used.
 */
export function readRunningProject(read: (name: string) => string | undefined): RunningProject | null {
  const get = (name: string) => read(name)?.trim() || null;
  const url = get("TEST_SUPABASE_URL");
  const require = (name: string) => {
    const value = get(name);
    if (value === null) throw new Error(`TEST_SUPABASE_URL is set, but ${name} is missing`);
    return value;
  };
  return url === null ? null : {
    url: requireThisMachine(url),
    publishableKey: require("TEST_SUPABASE_PUBLISHABLE_KEY"),
    secretKey: require("TEST_SUPABASE_SECRET_KEY"),
  };
}

/**
 * Returns the origin of an address on this machine with one of the given protocols.
 *
 * @throws {Error} for any other: the tests create hundreds of accounts and users, and take work from the queue.
 */
export function requireThisMachine(address: string, protocols = ["http:", "https:"]): string {
  const url = URL.parse(address);
  if (url === null || !protocols.includes(url.protocol)) {
    throw new Error(`The tests cannot use ${address}: it is not the address of a Supabase`);
  }
  if (!isThisMachine(url)) {
    throw new Error(`The tests refuse to use ${url.hostname}: they change data, and only on this machine`);
  }
  return url.origin;
}
