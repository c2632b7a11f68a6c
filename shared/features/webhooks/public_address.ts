import ipaddr from "ipaddr.js";

/** Looks a name up: its addresses of one kind. Rejects, or gives none, where there are none. */
export type ResolveName = (name: string, kind: "A" | "AAAA", options: { signal?: AbortSignal }) => Promise<string[]>;

/** Why nothing is sent to an address. */
export class AddressRefused extends Error {
  override name = "AddressRefused";
}

/** All unicast addresses of the internet. What lies outside, old forms of IPv4 addresses included, is refused. */
const globalUnicast = ipaddr.parseCIDR("2000::/3");

/** Whether an IP address is one of the internet: not of a private network, this machine, or some other special use. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return address.range() === "unicast" && (address.kind() === "ipv4" || address.match(globalUnicast));
}

/**
 * Checks an address to which messages are to be sent: https, without a user in it, and on the internet, with all that its
 * name leads to. Between this look and the connection a name may change: see supabase/docs/webhooks.md.
 *
 * @param options.allowsPrivate also http, and any network
 * @throws {AddressRefused}
 */
export async function requirePublicAddress(
  url: string,
  { allowsPrivate, resolve = Deno.resolveDns, signal }: {
    allowsPrivate: boolean;
    resolve?: ResolveName;
    signal?: AbortSignal;
  },
): Promise<void> {
  if (!URL.canParse(url)) throw new AddressRefused("This is not a valid address");
  const { protocol, username, password, hostname } = new URL(url);
  if (protocol !== "https:" && !(allowsPrivate && protocol === "http:")) {
    throw new AddressRefused("The address must begin with https://");
  }
  if (username !== "" || password !== "") throw new AddressRefused("The address must not contain a user or a password");
  if (allowsPrivate) return;
  const host = hostname.replace(/^\[|\]$/g, "");
  const addresses = ipaddr.isValid(host) ? [host] : await findAddresses((kind) => resolve(host, kind, { signal }));
  if (addresses.length === 0) throw new AddressRefused("The host name of the address cannot be resolved");
  if (!addresses.every(isPublicAddress)) {
    throw new AddressRefused("The address is not on the public internet, but in a private or special network");
  }
}

async function findAddresses(resolve: (kind: "A" | "AAAA") => Promise<string[]>): Promise<string[]> {
  const found = await Promise.all((["A", "AAAA"] as const).map((kind) => resolve(kind).catch(() => [])));
  return found.flat();
}
