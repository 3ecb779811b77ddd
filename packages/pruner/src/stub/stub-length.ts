/** Maximum length of a stub, in characters. Only longer results are stubbed, so stubs never are. */
export const stubLength = 199;
/** Results of up to this many characters are never stubbed. */
export const shortResult = 200;
