/** Parameters that name where a reader came from. They do not change the page. */
const trackingParameters =
  /^(?:utm_\w+|gclid|gclsrc|gbraid|wbraid|dclid|fbclid|msclkid|yclid|twclid|ttclid|li_fat_id|igshid|mc_[ce]id|_hs(?:enc|mi)|mkt_tok|oly_(?:anon|enc)_id|vero_id|_ga|_gl|srsltid)$/i;

/** The longest address that is used. Longer ones are mostly made by programs that go in circles. */
const longest = 2_000;

/**
 * One spelling for the addresses of a page: without fragment, usual port and tracking parameters, the host in lower case.
 * Null for anything that is not an address of the web, or is too long.
 *
 * @param base the address that a relative one starts from
 */
export function normalizeAddress(address: string, base?: string): string | null {
  if (address.length > 2 * longest) return null;
  const url = URL.parse(address, base);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return null;
  // Each change costs as much as parsing, and sitemaps have 50,000 addresses.
  if (url.hash !== "" || url.href.endsWith("#")) url.hash = "";
  if (url.search !== "") removeTracking(url);
  if (url.href.endsWith("?")) url.search = "";
  return url.href.length > longest ? null : url.href;
}

/** Any change would write all parameters anew: without tracking, they keep their spelling. One change removes them all. */
function removeTracking(url: URL): void {
  const parameters = [...url.searchParams];
  const others = parameters.filter(([name]) => !trackingParameters.test(name));
  if (others.length < parameters.length) url.search = new URLSearchParams(others).toString();
}

/** Returns whether an address is below another: same host but for `www.`, in the folder of its path, any scheme. */
export function isBelow(base: string, url: string): boolean {
  if (!URL.canParse(base) || !URL.canParse(url)) return false;
  const [above, below] = [new URL(base), new URL(url)];
  if (hostOf(above) !== hostOf(below)) return false;
  const path = above.pathname;
  // The last part of a path is a page if it has a suffix: /docs/index.html stands in /docs/, while /docs is a folder.
  const folder = path.endsWith("/")
    ? path
    : /\.\w+$/.test(path)
    ? path.slice(0, path.lastIndexOf("/") + 1)
    : `${path}/`;
  return below.pathname.startsWith(folder) || below.pathname === path || `${below.pathname}/` === folder;
}

function hostOf({ host }: URL): string {
  return host.replace(/^www\./, "");
}
