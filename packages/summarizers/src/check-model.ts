import { invalidOption } from '@palimpsest/core/authoring';

/** Checks the option `model`. @throws {PalimpsestError} `OPTION_INVALID` */
export function checkModel(model: unknown, example: string): void {
  if (typeof model === 'string' && model !== '') return;
  const given = model === undefined ? 'nothing' : model === '' ? 'an empty text' : `a value of type ${typeof model}`;
  throw invalidOption('model', `the name of a model, such as ${JSON.stringify(example)}`, given);
}
