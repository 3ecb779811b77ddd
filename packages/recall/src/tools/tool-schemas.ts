import type { ToolSchema } from '@palimpsest/core';

/** Maximum and default number of hits of a search. */
export const maxHits = 10;
export const defaultHits = 4;
/** Maximum and default number of rows shown around each match. */
export const maxContext = 20;
export const defaultContext = 3;

/** The declarations of the two tools, in the format of OpenAI's chat completions. */
export const recallTools: readonly ToolSchema[] = [
  {
    type: 'function',
    function: {
      name: 'recall',
      description:
        'Search the earlier part of this conversation that was shortened or removed from your context: tool results, ' +
        'written files, messages. Use names, paths, commands, error words. Returns short quotes with a ref for each.',
      parameters: {
        type: 'object',
        properties: {
          query: { type: 'string', description: 'A few exact names, paths or words.' },
          limit: {
            type: 'integer',
            minimum: 1,
            maximum: maxHits,
            default: defaultHits,
            description: 'Number of hits.',
          },
          tool: { type: 'string', description: 'Only results of this tool; or user or assistant.' },
          before: { type: 'integer', minimum: 1, description: 'Only what is more than this many messages ago.' },
        },
        required: ['query'],
        additionalProperties: false,
      },
    },
  },
  {
    type: 'function',
    function: {
      name: 'expand',
      description:
        'Show the full text behind a ref, from recall or from a shortened result, page by page, by lines or around a pattern.',
      parameters: {
        type: 'object',
        properties: {
          ref: { type: 'string', description: 'The ref, such as 3fa9c01b.' },
          pattern: {
            type: 'string',
            description:
              'Only lines with this text, in any case; * stands for any characters, | separates alternatives.',
          },
          lines: { type: 'string', description: 'Only these lines, such as 120-180, or 120- for the rest.' },
          context: {
            type: 'integer',
            minimum: 0,
            maximum: maxContext,
            default: defaultContext,
            description: 'Lines around each match of the pattern.',
          },
        },
        required: ['ref'],
        additionalProperties: false,
      },
    },
  },
];
