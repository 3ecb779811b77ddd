import { maxStubLength } from '@palimpsest/core/authoring';

/** Results of up to this many characters are never stubbed, so stubs never are. */
export const maxShortLength: number = maxStubLength + 1;
