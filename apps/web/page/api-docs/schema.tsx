import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { type ApiDocument, type ApiSchema, resolvedSchema, typeText } from '../../logic/openapi.js';
import { AnswerText } from '../answer.js';

/** The fields of a schema; those of nested objects open on request, since schemas may recur. */
export function Schema({
  api,
  schema,
}: {
  readonly api: ApiDocument;
  readonly schema: ApiSchema;
}): JSX.Element {
  const objects = objectsOf(api, schema);
  return (
    <>
      {objects.length !== 1 && <p class="meta">{typeText(schema)}</p>}
      {objects.map((object, index) => (
        <ul class="fields" key={index}>
          {Object.entries(object.properties ?? {}).map(([name, property]) => (
            <Property
              key={name}
              api={api}
              name={name}
              property={property}
              isRequired={object.required?.includes(name) ?? false}
            />
          ))}
        </ul>
      ))}
    </>
  );
}

function Property({
  api,
  name,
  property,
  isRequired,
}: {
  readonly api: ApiDocument;
  readonly name: string;
  readonly property: ApiSchema;
  readonly isRequired: boolean;
}): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const nested = objectsOf(api, property);
  return (
    <li>
      <code>{name}</code> <span class="meta">{typeText(property)}</span>
      {isRequired && <span class="meta">, required</span>}
      {property.default !== undefined && (
        <span class="meta">, default {JSON.stringify(property.default)}</span>
      )}
      {property.enum && (
        <span class="meta">: {property.enum.map((each) => JSON.stringify(each)).join(', ')}</span>
      )}
      {property.description !== undefined && (
        <AnswerText text={property.description} placeOf={() => undefined} />
      )}
      {nested.length > 0 && (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>Fields of {name}</summary>
          {isOpen && <Schema api={api} schema={property} />}
        </details>
      )}
    </li>
  );
}

/** Returns the schemas with fields that a schema stands for. */
function objectsOf(api: ApiDocument, schema: ApiSchema): readonly ApiSchema[] {
  const whole = resolvedSchema(api, schema);
  if (whole.properties) return [whole];
  if (whole.items) return objectsOf(api, whole.items);
  const choices = whole.oneOf ?? whole.anyOf ?? whole.allOf ?? [];
  return choices.flatMap((choice) => objectsOf(api, choice));
}
