import { Module } from '@nestjs/common';

import { SchemasController } from './schemas.controller.js';

/** `/schemas`, `/asyncapi.json` */
@Module({ controllers: [SchemasController] })
export class SchemasModule {}
