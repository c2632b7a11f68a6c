import ipaddr from "ipaddr.js";

/** Resolves a name: returns its addresses of one kind. Rejects, or returns none, if there are none. */
export type ResolveName = (name: string, kind: "A" | "AAAA", options: { signal?: AbortSignal }) => Promise<string[]>;

/** The reason why nothing is sent to an address. */
export class AddressRefused extends Error {
  override name = "AddressRefused";
}

/** All unicast addresses of the internet. All others, including old forms of IPv4 addresses, are refused. */
const globalUnicast = ipaddr.parseCIDR("2000::/3");

/** An address of the internet that leads to the host's own services within Azure: DNS, health, the agent of a machine. */
const azureHost = "168.63.129.16";

/**
 * Returns true for an IP address on the public internet: not in a private network, on this machine, or for special use.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.toString() === azureHost) return false;
  return address.range() === "unicast" && (address.kind() === "ipv4" || address.match(globalUnicast));
}

/**
 * Checks the address of a webhook: it must use https, contain no user, and be on the public internet, with every IP
 * address of its name. The name may change between this check and the connection: see supabase/docs/webhooks.md.
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
