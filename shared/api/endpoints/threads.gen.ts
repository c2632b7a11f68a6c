import type { Address } from "../../http/endpoint.ts";

export const addresses: Address[] = [];
