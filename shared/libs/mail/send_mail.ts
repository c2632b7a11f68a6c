/** The mail server, and the sender of mails. */
export type MailServer = {
  host: string;
  port: number;
  /** True: encrypted from the first byte (`smtps://`); false: the server must offer STARTTLS. */
  isSecure: boolean;
  /** True: the server is on this machine, and may do without encryption. */
  isLoopback: boolean;
  user: string | null;
  password: string | null;
  from: { name: string; address: string };
};

/** A mail to one recipient. */
export type OutgoingMail = {
  /** The first part of its Message-ID. */
  id: string;
  /** An address that was checked: it cannot name two. */
  to: string;
  subject: string;
  text: string;
  html: string;
  date: Date;
  headers: Record<string, string>;
};

/** The outcome of sending a mail. */
export type Delivery =
  | { kind: "sent" }
  /** The server refuses the address for good. */
  | { kind: "refused"; reply: number }
  | {
    kind: "failed";
    /** For operators, about the mail server. It holds no address. */
    reason: string;
    /** Another try would not help. */
    isFinal: boolean;
    /** It is the fault of the server, and so would be that of any other mail. */
    isOfServer: boolean;
  };

/** Sends a mail. Never rejects. */
export type SendMail = (mail: OutgoingMail, signal: AbortSignal) => Promise<Delivery>;
