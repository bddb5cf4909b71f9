import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';

import { HandlerCheck } from './handler-check.js';

/** The buses of commands and queries; their handlers are found in the modules that provide them. */
@Module({ imports: [CqrsModule.forRoot(), DiscoveryModule], providers: [HandlerCheck] })
export class UseCasesModule {}
