/** Four numbers, or an IPv6 address; with a port it is none, since every connection would be another address. */
const shape = /^(?:\d{1,3}(?:\.\d{1,3}){3}|(?=.*:.*:)[\da-f.:]{2,45})$/i;

/**
 * The address of a client as the trusted proxy tells it; undefined where it tells none. Of a list, like that in
 * `X-Forwarded-For`, it is the last entry: that is the one which the trusted proxy has added, and clients can write
 * anything before it.
 *
 * @param value of the trusted header
 */
export function readClientAddress(value: string | undefined): string | undefined {
  const address = value?.split(",").at(-1)?.trim();
  return address !== undefined && shape.test(address) ? address : undefined;
}
