import { test } from 'node:test';
import { createEngine } from '@palimpsest/core/authoring';
import { engineCases } from '@palimpsest/testkit';
import forgetful from '../src/index.js';

for (const { name, run } of engineCases({ runs: 20 }))
  test(name, () => run((host) => createEngine(forgetful.create({}, host), host, { name: forgetful.name })));
