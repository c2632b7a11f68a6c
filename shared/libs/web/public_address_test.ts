import { AddressRefused, isPublicAddress, requirePublicAddress } from "./public_address.ts";
import { assertEquals, assertRejects } from "../../../tests/support/assert.ts";

Deno.test("addresses of the internet, and all others", () => {
  const open = ["93.184.216.34", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700:4700::1111", "::ffff:1.1.1.1"];
  const closed = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:168.63.129.16",
    "64:ff9b::a00:1",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "no address",
    "",
  ];
  assertEquals(open.filter((address) => !isPublicAddress(address)), []);
  assertEquals(closed.filter(isPublicAddress), []);
});

Deno.test("where webhooks may be", async (t) => {
  const names: Record<string, string[]> = {
    "example.com": ["93.184.216.34", "2606:4700:4700::1111"],
    "inside.example": ["10.0.0.1"],
    "both.example": ["93.184.216.34", "127.0.0.1"],
    "six.example": ["::1"],
    "metadata.example": ["169.254.169.254"],
    "hidden.example": ["93.184.216.34", "fd00:ec2::254"],
    "mapped.example": ["::ffff:169.254.169.254"],
  };
  const resolve = (name: string, kind: "A" | "AAAA") => {
    const found = names[name]?.filter((address) => address.includes(":") === (kind === "AAAA"));
    return found === undefined ? Promise.reject(new Deno.errors.NotFound()) : Promise.resolve(found);
  };
  const check = (url: string, allowsPrivate = false) => requirePublicAddress(url, { allowsPrivate, resolve });

  await t.step("on the internet, by name or number", async () => {
    for (const url of ["https://example.com/hook?x=1", "https://example.com:8443/", "https://93.184.216.34/"]) {
      await check(url);
    }
  });

  const refused: Record<string, string> = {
    "http://example.com/": "The address must begin with https://",
    "ftp://example.com/": "The address must begin with https://",
    "file:///etc/passwd": "The address must begin with https://",
    "example.com": "This is not a valid address",
    "https://user:password@example.com/": "The address must not contain a user or a password",
    "https://user@example.com/": "The address must not contain a user or a password",
    "https://:password@example.com/": "The address must not contain a user or a password",
    "https://example.com:25/": "Port 25 belongs to a service that is not a website",
    "https://example.com:6000/": "Port 6000 belongs to a service that is not a website",
    "https://nowhere.example/": "The host name of the address cannot be resolved",
    "https://localhost/": "The host name of the address cannot be resolved",
  };
  for (
    const host of [
      "inside.example",
      "both.example",
      "six.example",
      "127.0.0.1",
      "2130706433",
      "0x7f.1",
      "0177.0.0.1",
      "127.1",
      "0",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "[fd00::1]",
      "１２７.0.0.1",
    ]
  ) {
    refused[`https://${host}/`] = "The address is not on the public internet, but in a private or special network";
  }
  const metadata = [
    ...["169.254.169.254", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.254.1", "１６９.254.169.254"],
    ...["[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]", "[::169.254.169.254]", "[64:ff9b::169.254.169.254]"],
    ...["[2002:a9fe:a9fe::1]", "[fe80::1]", "[febf::1]", "[fd00:ec2::254]", "168.63.129.16", "100.100.100.200"],
    ...["metadata.example", "hidden.example", "mapped.example"],
  ].map((host) => `https://${host}/`);
  for (const url of metadata) {
    refused[url] = "The address is not on the public internet, but in a private or special network";
  }

  for (const [url, reason] of Object.entries(refused)) {
    await t.step(`not ${url}`, async () => {
      await assertRejects(() => check(url), AddressRefused, reason);
    });
  }

  await t.step("where the operator allows it, also in private networks and over http, but nowhere else", async () => {
    for (const url of ["http://127.0.0.1:8000/", "https://inside.example/", "http://nowhere.example"]) {
      await check(url, true);
    }
    for (const url of ["ftp://127.0.0.1/", "http://user@127.0.0.1/", "no address"]) {
      await assertRejects(() => check(url, true), AddressRefused);
    }
  });

  for (const url of metadata) {
    await t.step(`never ${url}`, async () => {
      const reason = "The address is link-local, or one where clouds keep credentials of this machine";
      await assertRejects(() => check(url, true), AddressRefused, reason);
    });
  }

  await t.step("over http where the caller allows it", async () => {
    await requirePublicAddress("http://example.com/", { allowsPrivate: false, allowsHttp: true, resolve });
    for (const url of ["ftp://example.com/", "http://inside.example/", "http://user@example.com/"]) {
      await assertRejects(
        () => requirePublicAddress(url, { allowsPrivate: false, allowsHttp: true, resolve }),
        AddressRefused,
      );
    }
  });

  await t.step("a name that does not exist, and one that could not be looked up", async () => {
    const options = { allowsPrivate: false, resolve };
    const missing = await assertRejects(
      () => requirePublicAddress("https://nowhere.example/", options),
      AddressRefused,
    );
    assertEquals(missing.isTemporary, false);
    const failing = { ...options, resolve: () => Promise.reject(new Error("SERVFAIL")) };
    const failed = await assertRejects(() => requirePublicAddress("https://nowhere.example/", failing), AddressRefused);
    assertEquals(failed.isTemporary, true);
  });
});
