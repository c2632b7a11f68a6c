import ipaddr from "ipaddr.js";

/** Resolves a name: returns its addresses of one kind. Rejects, or returns none, if there are none. */
export type ResolveName = (name: string, kind: "A" | "AAAA", options: { signal?: AbortSignal }) => Promise<string[]>;

/** The reason why nothing is sent to an address, as a sentence without its full stop. */
export class AddressRefused extends Error {
  override name = "AddressRefused";

  /** @param isTemporary the same address may be allowed later */
  constructor(message: string, readonly isTemporary = false) {
    super(message);
  }
}

/** All unicast addresses of the internet. All others, including old forms of IPv4 addresses, are refused. */
const globalUnicast = ipaddr.parseCIDR("2000::/3");

/** An address of the internet that leads to the host's own services within Azure: DNS, health, the agent of a machine. */
const azureHost = "168.63.129.16";

/** Networks where a cloud tells a machine its credentials. Nothing is sent there, whatever an operator allows. */
const metadataNetworks = [
  ...["169.254.0.0/16", "fe80::/10", "fd00:ec2::/32", "fd20:ce::254/128"],
  ...[`${azureHost}/32`, "100.100.100.200/32", "192.0.0.192/32"],
].map((network) => ipaddr.parseCIDR(network));
/** Forms of IPv6 that lead to the IPv4 address within them, with the number of its first 16 bits. */
const carriers = [["::/96", 6], ["64:ff9b::/96", 6], ["2002::/16", 1]] as const;

/** Returns true for an IP address of {@link metadataNetworks}, also as an IPv4 address within one of IPv6. */
function isMetadataAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  const within = address instanceof ipaddr.IPv6 ? findCarried(address) : null;
  if (within !== null) return isMetadataAddress(within);
  return metadataNetworks.some((network) => network[0].kind() === address.kind() && address.match(network));
}

function findCarried(address: ipaddr.IPv6): string | null {
  const carrier = carriers.find(([network]) => address.match(ipaddr.parseCIDR(network)));
  if (carrier === undefined) return null;
  return address.parts.slice(carrier[1], carrier[1] + 2).flatMap((part) => [part >> 8, part & 255]).join(".");
}

/** Returns true for an IP address on the public internet: not private, of this machine, or for special use. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.toString() === azureHost) return false;
  return address.range() === "unicast" && (address.kind() === "ipv4" || address.match(globalUnicast));
}

/** The ports of other services, to which browsers send nothing either: the list "bad port" of the Fetch standard. */
const blockedPorts = new Set(
  ("0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 " +
    "135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 " +
    "995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080").split(" "),
);

/**
 * Checks an address before a request: it must use https, contain no user, have no port of another service, and be on the
 * public internet, with every IP address of its name. The name may change between this check and the connection: see
 * supabase/docs/webhooks.md.
 *
 * @param options.allowsPrivate also http, and any network but those of {@link isMetadataAddress}
 * @param options.allowsHttp also http
 * @throws {AddressRefused}
 */
export async function requirePublicAddress(
  url: string,
  { allowsPrivate, allowsHttp = allowsPrivate, resolve = Deno.resolveDns, signal }: {
    allowsPrivate: boolean;
    allowsHttp?: boolean;
    resolve?: ResolveName;
    signal?: AbortSignal;
  },
): Promise<void> {
  if (!URL.canParse(url)) throw new AddressRefused("This is not a valid address");
  const { protocol, username, password, hostname, port } = new URL(url);
  if (protocol !== "https:" && !(allowsHttp && protocol === "http:")) {
    throw new AddressRefused(`The address must begin with https://${allowsHttp ? " or http://" : ""}`);
  }
  if (username !== "" || password !== "") throw new AddressRefused("The address must not contain a user or a password");
  if (blockedPorts.has(port)) throw new AddressRefused(`Port ${port} belongs to a service that is not a website`);
  const host = hostname.replace(/^\[|\]$/g, "");
  const addresses = ipaddr.isValid(host) ? [host] : await findAddresses((kind) => resolve(host, kind, { signal }))
    // Names of a private network may be known to the machine alone.
    .catch((error) => allowsPrivate ? [] : Promise.reject(error));
  if (!allowsPrivate && !addresses.every(isPublicAddress)) {
    throw new AddressRefused("The address is not on the public internet, but in a private or special network");
  }
  if (addresses.some(isMetadataAddress)) {
    throw new AddressRefused("The address is link-local, or one where clouds keep credentials of this machine");
  }
}

async function findAddresses(resolve: (kind: "A" | "AAAA") => Promise<string[]>): Promise<string[]> {
  const lookups = await Promise.allSettled((["A", "AAAA"] as const).map(resolve));
  const found = lookups.flatMap((lookup) => lookup.status === "fulfilled" ? lookup.value : []);
  if (found.length > 0) return found;
  const hasFailed = lookups.some((lookup) =>
    lookup.status === "rejected" && !(lookup.reason instanceof Deno.errors.NotFound)
  );
  throw new AddressRefused("The host name of the address cannot be resolved", hasFailed);
}
