import type { SummarizeRequest } from '@palimpsest/core';
import { assistant, user } from '@palimpsest/testkit';
import { expect, it } from 'vitest';
import { LatePage } from '../../src/pages/late-page.ts';

const request = { prompt: 'Write.', instruction: 'Write.' } as SummarizeRequest;
const begun = [user('Hello.'), assistant('Hello!')];

it('a late page is added to requests about its own conversation only', () => {
  const late = new LatePage();
  late.keep([...begun, user('A reminder.')], 'Port 4711 is taken.');
  expect(late.addTo(request, [...begun, user('Go on.')]).prompt).toContain('Port 4711');
  expect(late.addTo(request, [user('Hello.'), assistant('Who is there?')])).toBe(request);
  expect(late.addTo(request, begun.slice(0, 1))).toBe(request);
});

it('a late page about a conversation without an answer belongs to no other one', () => {
  const late = new LatePage();
  late.keep([user('Hello.')], 'Port 4711 is taken.');
  expect(late.addTo(request, begun)).toBe(request);
  expect(late.addTo(request, [user('Something else.')])).toBe(request);
});
