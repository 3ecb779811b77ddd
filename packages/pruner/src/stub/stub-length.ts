/** The longest stub, in characters. Results are stubbed only when they are longer than that, so stubs never are. */
export const stubLength = 199;
/** Results of up to this many characters are never stubbed. */
export const shortResult = 200;
