#version 150
uniform sampler2D picture;
out vec4 result;
void main() { result = texelFetch(picture, ivec2(gl_FragCoord.xy), 0); }
