import { Controller, Get } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';

import { Public } from '../auth/access.decorators.js';

/** Links to further documentation. Paths are those of this host. */
class RootView {
  @ApiProperty({ example: 'footnote' })
  service: string;
  /** A page to read and try the API. */
  @ApiProperty({ example: '/docs' })
  docs: string;
  /** The description of the API. */
  @ApiProperty({ example: '/openapi.json' })
  openapi: string;
  /** The description of the messages that the service sends. */
  @ApiProperty({ example: '/asyncapi.json' })
  asyncapi: string;
}

@ApiTags('operation')
@Public()
@Controller()
export class RootController {
  /** Returns the addresses of the API description. */
  @Get()
  root(): RootView {
    return {
      service: 'footnote',
      docs: '/docs',
      openapi: '/openapi.json',
      asyncapi: '/asyncapi.json',
    };
  }
}
