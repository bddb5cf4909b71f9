import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';

import { type FieldProblem, MAX_PROBLEMS, nearestName, validationFailed } from '#contracts';
import { isReadOnlyField } from '#contracts/http/index';

import { fieldsOf } from './known-fields.js';

/**
 * Validates bodies and query strings against their DTO: unknown fields are rejected, and nothing is
 * coerced. A body that is missing or is not an object is an error even where all of its fields are
 * optional.
 */
@Injectable()
export class StrictValidationPipe extends ValidationPipe {
  constructor() {
    super({
      whitelist: true,
      forbidNonWhitelisted: true,
      transform: true,
      stopAtFirstError: false,
      forbidUnknownValues: true,
      validationError: { target: true, value: true },
      exceptionFactory: (errors) => validationFailed(firstProblems(errors)),
    });
  }

  /**
   * Names that every object inherits, such as `constructor`, would be dropped in silence by the
   * whitelist.
   */
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type === 'body' && !isObject(value)) {
      throw validationFailed([{ field: 'body', message: 'must be a JSON object' }]);
    }
    const inherited = isObject(value)
      ? Object.keys(value as object).find((key) => key in Object.prototype)
      : undefined;
    if (inherited !== undefined)
      throw validationFailed([{ field: inherited, message: 'is not a known field' }]);
    rejectManyUnknown(value, metadata.metatype);
    return super.transform(value, metadata);
  }
}

/**
 * Rejects a body with more unknown fields than an answer lists. The validator spends ten
 * microseconds on each, and a stranger's body may hold a hundred thousand.
 */
function rejectManyUnknown(value: unknown, type: ArgumentMetadata['metatype']): void {
  if (!isObject(value) || type === undefined) return;
  const names = Object.keys(value as object);
  if (names.length <= MAX_PROBLEMS) return;
  const known = new Set(fieldsOf(type));
  if (known.size === 0) return;
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length <= MAX_PROBLEMS) return;
  const problems = unknown.slice(0, MAX_PROBLEMS);
  throw validationFailed(
    problems.map((name) => ({ field: shown(name), message: unknownField(name, type) })),
  );
}

/** As many as an answer shows. */
function firstProblems(errors: readonly ValidationError[]): FieldProblem[] {
  const problems: FieldProblem[] = [];
  for (const error of errors) {
    if (problems.length >= MAX_PROBLEMS) break;
    problems.push(...problemsOf(error, ''));
  }
  return problems;
}

function problemsOf(error: ValidationError, parent: string): FieldProblem[] {
  const field = parent + shown(error.property);
  const own = [...messagesOf(error)].map((message) => ({ field, message }));
  return [...own, ...(error.children ?? []).flatMap((child) => problemsOf(child, `${field}.`))];
}

/** Each once. A field that is not there has one problem only, whatever its rules. */
function messagesOf({ constraints, property, target, value }: ValidationError): Set<string> {
  const failed = Object.entries(constraints ?? {});
  if (failed.length > 0 && value === undefined) return new Set(['is required']);
  return new Set(failed.map(([name, text]) => sentence(name, text, property, target?.constructor)));
}

function sentence(name: string, text: string, property: string, type: object | undefined): string {
  if (name === 'whitelistValidation') {
    if (type !== undefined && isReadOnlyField(type, property)) return 'cannot be changed';
    return unknownField(property, type);
  }
  if (name === 'nestedValidation') return 'must be an object';
  return text;
}

function unknownField(name: string, type: object | undefined): string {
  const meant = type && nearestName(name, fieldsOf(type));
  return meant === undefined
    ? 'is not a known field'
    : `is not a known field; did you mean ${meant}?`;
}

/**
 * A field name that the client made up is shown cut and without characters that could break a log
 * line.
 */
function shown(field: string): string {
  return field.replace(/[^\x20-\x7e]/g, '?').slice(0, 64);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
