import { isThisMachine } from "../../supabase/local/local_address.ts";

/** A Supabase that runs already, whose data the tests may do to as they please. */
export type RunningProject = { url: string; publishableKey: string; secretKey: string };

/**
 * Which Supabase the tests are to use: null means one of their own. They ask for another by variables that nothing else
 * reads, so that a shell in which `SUPABASE_URL` names a project is no danger to it.
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
 * The origin of an address of this machine, with one of some protocols.
 *
 * @throws {Error} for any other: the tests make accounts and users by the hundred, and take work from the queue.
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
