// Blocks with fields that the codec's loose types do not declare.
export function block<const Type extends string, const Fields extends object>(
  type: Type,
  fields: Fields,
): Readonly<{ type: Type } & Fields> {
  return { type, ...fields };
}

export function textBlock<const Text extends string>(text: Text): Readonly<{ type: 'text'; text: Text }> {
  return { type: 'text', text };
}
