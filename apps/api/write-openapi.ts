import 'reflect-metadata';

import { writeFile } from 'node:fs/promises';

import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { ApiModule } from './api.module.js';
import { createAdapter } from './edge/create-adapter.js';
import type { ApiDependencies } from './engines/engines.js';
import { openApiDocument } from './openapi/document.js';

/** In a preview nothing is instantiated, so nothing ever asks for an engine. */
const NO_ENGINES = Object.freeze({}) as ApiDependencies;

/** The committed description; `npm run openapi` writes it and a test compares it with the code. */
export const OPENAPI_FILE = 'docs/openapi.json';

/** The description as the file holds it. Nothing is instantiated: decorators show everything. */
export async function openApiText(): Promise<string> {
  const app = await NestFactory.create<NestFastifyApplication>(
    ApiModule.register(NO_ENGINES),
    createAdapter({ trustProxy: [], headers: {} }),
    {
      preview: true,
      abortOnError: false,
      logger: false,
    },
  );
  try {
    return `${JSON.stringify(openApiDocument(app), null, 2)}\n`;
  } finally {
    await app.close();
  }
}

if (process.argv[1] === import.meta.filename) await writeFile(OPENAPI_FILE, await openApiText());
