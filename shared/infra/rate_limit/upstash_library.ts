/** The part of Upstash's clients that is used. Imported later from elsewhere, CommonJS would lose its names. */
export { Ratelimit } from "@upstash/ratelimit";
export { Redis } from "@upstash/redis";
